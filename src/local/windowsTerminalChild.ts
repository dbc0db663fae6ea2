import type * as NodePty from 'node-pty';

import type { TerminalSize } from '../core/index.js';
import type { Child, ChildRequest, ChildSink } from './child.js';
import { exitStatus } from './exitStatus.js';

/** The end-of-file key of the Windows console. */
const END_OF_FILE = '\u001a';

/**
 * Starts a child on a ConPTY. node-pty's public API is the only one on Windows. It reports the exit after the last
 * output, so exited and closed come together.
 */
export function startWindowsTerminalChild(
  request: ChildRequest & { readonly size: TerminalSize },
  sink: ChildSink,
  spawn: typeof NodePty.spawn,
): Child {
  const [program, ...args] = request.argv;
  const terminal = spawn(program, args, {
    cwd: request.cwd,
    env: request.env,
    cols: request.size.columns,
    rows: request.size.rows,
  });
  sink.forked(terminal.pid);
  let exited = false;
  terminal.onData((text) => sink.output('pty', Buffer.from(text)));
  terminal.onExit(({ exitCode, signal }) => {
    exited = true;
    sink.exited(exitStatus(exitCode, signal));
    sink.ended();
  });
  return {
    pid: terminal.pid,
    outputLinks: new Set(),
    write: (bytes) => {
      if (exited) {
        return Promise.reject(new Error('The terminal is closed.'));
      }
      terminal.write(Buffer.from(bytes));
      return Promise.resolve();
    },
    closeStdin: () => {
      if (!exited) {
        terminal.write(`${END_OF_FILE}\r`);
      }
    },
    resize: ({ columns, rows }) => {
      if (!exited) {
        terminal.resize(columns, rows);
      }
    },
    setPaused: (paused) => {
      if (paused) {
        terminal.pause();
      } else {
        terminal.resume();
      }
    },
    abandon: () => terminal.kill(),
  };
}
