import { execFileSync } from 'node:child_process';
import path from 'node:path';

import type { MachineFixture } from '../server/machine/machineFixture.js';

/** A tmux of its own, in the folder of a test's machine. */
export interface Tmux {
  readonly tmux: (...args: readonly string[]) => string;
  /** Runs a program in a session of tmux. The server starts with the first one, and lives as long as it has one. */
  readonly openPane: (name: string, argv: readonly string[]) => void;
  /** The text on the screen of a pane. */
  readonly screen: (name: string) => string;
}

export function tmuxFor(machine: MachineFixture): Tmux {
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-u', '-L', 'test', '-f', '/dev/null', ...args], {
      cwd: machine.folder,
      env: {
        ...machine.env,
        LANG: 'C.UTF-8',
        NODE_REPL_HISTORY: '',
        TMUX_TMPDIR: path.join(machine.folder, 'tmp'),
      },
      encoding: 'utf8',
    });
  return {
    tmux,
    openPane: (name, argv) => void tmux('new-session', '-d', '-s', name, '-x', '80', '-y', '24', ...argv),
    screen: (name) => tmux('capture-pane', '-p', '-t', name),
  };
}
