import type { TerminalSize } from '../../core/index.js';
import type { Child, ChildRequest, ChildSink } from '../child/child.js';
import { exitStatus } from '../stop/signals.js';
import type { SpawnConPty } from '../child/nodePty.js';
import { windowsErrorText } from '../systemErrors.js';

/** The end-of-file key of the Windows console. */
const END_OF_FILE = '\u001a';

/**
 * Starts a child on a ConPTY. node-pty's public API is the only one on Windows. It reports the exit after the last
 * output, so exited and closed come together.
 *
 * @throws Error if it cannot be started.
 */
export async function startWindowsTerminalChild(
  request: ChildRequest & { readonly size: TerminalSize },
  sink: ChildSink,
  spawn: SpawnConPty,
): Promise<Child> {
  const [program, text] = request.argv;
  // An empty text would leave a path with spaces without quotes:
  // https://github.com/microsoft/node-pty/blob/v1.2.0-beta.15/src/windowsPtyAgent.ts (argsToCommandLine)
  const terminal = spawn(program, text === undefined || text === '' ? [] : text, {
    cwd: request.cwd,
    env: request.env,
    cols: request.size.columns,
    rows: request.size.rows,
  });
  let exited = false;
  terminal.onData((data) => sink.output('pty', Buffer.from(data)));
  await new Promise<void>((resolve, reject) => {
    // node-pty connects the console later, and there is no process before that.
    terminal.on('ready_datapipe', () => {
      sink.forked(terminal.pid);
      resolve();
    });
    terminal.onExit(({ exitCode, signal }) => {
      exited = true;
      if (terminal.pid === 0) {
        // The number of the error, in place of an exit code.
        reject(new Error(exitCode > 0 ? windowsErrorText(exitCode) : 'The console does not answer'));
        return;
      }
      sink.exited(exitStatus(exitCode, signal));
      sink.ended();
    });
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
      try {
        terminal.resize(columns, rows);
      } catch {
        // Its program has exited: node-pty knows that a second before it reports it.
      }
    },
    setPaused: (paused) => {
      if (paused) {
        terminal.pause();
      } else {
        terminal.resume();
      }
    },
    abandon: () => {
      // After the exit, node-pty would end the process that has its number by then.
      if (!exited) {
        terminal.kill();
      }
    },
  };
}
