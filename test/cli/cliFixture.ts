import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { type ExecProcess, systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { builtFiles, type MachineFixture } from '../server/machine/machineFixture.js';
import { Emulator } from '../support/emulator.js';
import { until } from '../support/until.js';

/** The program, as it is shipped. */
export const cli = path.join(builtFiles, 'exec-sessions.js');

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** The processes of this machine that are no sessions, in the lists of `ls`: each run of a test has others. */
const OTHERS = /\n?^Other processes\nPID .*\n(?:\d+ .*\n)*|(?<="others":)\[.*\](?=\}\n)/gm;

function withoutOthers(stdout: string): string {
  return stdout.replace(OTHERS, (found) => (found.startsWith('[') ? '[]' : ''));
}

/** Runs a command line of bash in which `exec-sessions` is our program. */
export function runLine(machine: Pick<MachineFixture, 'env' | 'folder'>, line: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const script = `exec-sessions() { '${process.execPath}' '${cli}' "$@"; }; ${line}`;
    const child = spawn('bash', ['-c', script], {
      env: machine.env,
      cwd: machine.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ stdout: withoutOthers(stdout), stderr, code }));
  });
}

/** Writes a program that runs another one with more arguments. */
export function writeProgram(folder: string, name: string, argv: readonly string[]): void {
  const words = argv.map((word) => `'${word}'`).join(' ');
  fs.writeFileSync(path.join(folder, name), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o700 });
}

/** The program on a real terminal, whose emulator answers. */
export interface CliTerminal {
  readonly process: ExecProcess;
  /** Everything that it has written. */
  readonly text: string;
  /** The screen as the emulator shows it, as JSON. */
  screen(): string;
  type(text: string): Promise<void>;
  /** Resolves when it has written the text. */
  shows(text: string): Promise<void>;
  /** Resolves with its exit code, when everything that it has written is here. */
  ended(): Promise<number | undefined>;
}

/** Opens terminals for each test of the surrounding `describe`, and ends with it what runs there. */
export function useTerminals(
  machine: MachineFixture,
): (
  args: readonly string[],
  size?: { readonly columns: number; readonly rows: number },
  more?: Readonly<Record<string, string>>,
) => Promise<CliTerminal> {
  let backend: LocalBackend;
  let emulators: Emulator[];
  let names = 0;
  beforeEach(() => {
    backend = new LocalBackend({ clock: systemClock });
    emulators = [];
  });
  afterEach(async () => {
    await backend.shutdown();
    emulators.forEach((emulator) => emulator.dispose());
  });
  return async (args, size, more) => {
    names += 1;
    const started = await backend.start({
      processId: `terminal-${names}`,
      argv: [process.execPath, cli, ...args],
      cwd: machine.folder,
      env: { ...machine.env, TERM: 'xterm-256color', ...more },
      tty: true,
      size,
    });
    const emulator = new Emulator((answer) => {
      void started.write(Buffer.from(answer));
    });
    emulators.push(emulator);
    const decoder = new TextDecoder();
    let text = '';
    let written = Promise.resolve();
    started.subscribe({}, (event) => {
      if (event.type === 'output') {
        const piece = decoder.decode(event.bytes, { stream: true });
        text += piece;
        written = written.then(() => emulator.write(piece));
      }
    });
    return {
      process: started,
      get text() {
        return text;
      },
      screen: () => emulator.screen(),
      type: async (typed) => {
        await started.write(Buffer.from(typed));
      },
      shows: (wanted) =>
        until(
          () => text,
          (seen) => seen.includes(wanted),
        ),
      ended: async () => {
        await until(() => started.info().state, 'closed');
        await written;
        return started.info().exit?.exitCode;
      },
    };
  };
}
