import type { Disposable, ExecFailure, ExecProcess, ExitStatus } from '../../core/index.js';
import type { Connected } from '../connected.js';
import type { Console } from '../console.js';
import { notePersonsSignal, signalAsPerson } from '../sessions/personsSignal.js';
import { AfterExit } from './afterExit.js';
import { Keyboard, tellLongLine } from './keyboard.js';
import { OutputPump } from './outputPump.js';
import { SizeAndFocus } from './sizeAndFocus.js';

/** Why a client has left its session. */
export type Leaving =
  | {
      readonly kind: 'ended';
      readonly exit: ExitStatus | undefined;
      /** Whether a process that it started still holds its output open. */
      readonly open: boolean;
    }
  | { readonly kind: 'failed'; readonly failure: ExecFailure }
  /** The session goes on. */
  | { readonly kind: 'detached' }
  /** A signal has ended this program, and the session goes on. */
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  /** The output has no reader any more. */
  | { readonly kind: 'pipeClosed' };

export interface ClientOptions {
  readonly machine: Connected;
  readonly process: ExecProcess;
  /** See {@link OutputPump}. */
  readonly replayThrough: number;
  readonly readOnly: boolean;
  /** The signals that are passed on to the session; the others of a client's end leave the session alone. */
  readonly passedOn: readonly NodeJS.Signals[];
}

/** Two of these keys within so many milliseconds detach. */
const TWICE_MS = 1_000;

/** Shows a session in this terminal, or on these pipes, and types into it, until one of them is over. */
export function runClient(console: Console, options: ClientOptions): Promise<Leaving> {
  return new Promise((resolve) => {
    const { machine, process: session, replayThrough, readOnly } = options;
    const { input, output } = console.onTerminal;
    const { tty, pipeStdin } = session.info();
    const parts: { dispose(): void }[] = [];
    let left = false;
    const leave = (leaving: Leaving) => {
      if (!left) {
        left = true;
        parts.reverse().forEach((part) => part.dispose());
        resolve(leaving);
      }
    };
    /** Leaves a session that goes on, or whose output does. */
    const detach = () => {
      const { exit } = session.info();
      leave(exit === undefined ? { kind: 'detached' } : { kind: 'ended', exit, open: true });
    };
    const afterExit = new AfterExit(session, console.clock, detach);
    parts.push(afterExit);
    const pump: OutputPump = new OutputPump(console, session, {
      replayThrough,
      onEnd: (last) =>
        leave(
          last.type === 'failed'
            ? { kind: 'failed', failure: last.failure }
            : { kind: 'ended', exit: session.info().exit, open: false },
        ),
      onExit: () => afterExit.begin(),
      onOutput: () => afterExit.wrote(),
      onIncomplete: () => screen?.redraw(),
    });
    parts.push({ dispose: () => pump.end() });
    const onTerminal = tty && output;
    const screen =
      onTerminal && !readOnly
        ? new SizeAndFocus(console, machine, session, (primary) => pump.setAnswering(primary))
        : undefined;
    if (screen !== undefined) {
      parts.push(screen);
    }
    if (tty && input) {
      const resume = () => {
        pump.resume();
        screen?.redraw();
      };
      parts.push(
        new Keyboard(console, {
          process: session,
          readOnly,
          onTyped: () => screen?.focus(),
          onInterrupt: () =>
            hasExited(session) ? detach() : void notePersonsSignal(session, 'SIGINT', console.clock),
          onDetach: detach,
          onSuspend: () => pump.pause(),
          onResume: resume,
        }),
      );
    } else if (!readOnly && (tty || pipeStdin)) {
      parts.push(new PipedInput(console, session));
    }
    parts.push(onSignals(console, options, detach, (signal) => leave({ kind: 'signalled', signal })));
    parts.push(onClosedOutput(console.stdout, () => leave({ kind: 'pipeClosed' })));
    pump.start();
  });
}

function onSignals(
  { clock, onTerminal }: Console,
  { process: session, passedOn }: ClientOptions,
  detach: () => void,
  end: (signal: NodeJS.Signals) => void,
): { dispose(): void } {
  // In a terminal that is not in raw mode, Ctrl-C and Ctrl-\ are signals.
  const cooked = onTerminal.input && !session.info().tty;
  let quitAt = Number.NEGATIVE_INFINITY;
  const quit = () => {
    const now = clock.now();
    if (now - quitAt < TWICE_MS) {
      detach();
    }
    quitAt = now;
  };
  const listeners = new Map<NodeJS.Signals, () => void>(
    (['SIGHUP', 'SIGTERM', 'SIGINT'] as const).map((name) => [
      name,
      () => {
        if (name === 'SIGINT' && hasExited(session)) {
          detach();
        } else if (passedOn.includes(name) && !hasExited(session)) {
          // Ctrl-C at this terminal; any other signal may come from a program, such as `timeout`.
          const sent =
            name === 'SIGINT' && cooked ? signalAsPerson(session, name, clock) : session.signal(name);
          void sent.catch(() => undefined);
        } else if (name === 'SIGINT' && cooked) {
          detach();
        } else {
          end(name);
        }
      },
    ]),
  );
  listeners.set('SIGQUIT', quit);
  listeners.forEach((listener, name) => process.on(name, listener));
  return { dispose: () => listeners.forEach((listener, name) => process.off(name, listener)) };
}

function hasExited(session: ExecProcess): boolean {
  return session.info().exit !== undefined;
}

function onClosedOutput(stdout: Console['stdout'], closed: () => void): { dispose(): void } {
  const failed = () => closed();
  stdout.on('error', failed);
  return { dispose: () => stdout.off('error', failed) };
}

/**
 * Passes standard input on to a session, as fast as the session takes it, and closes the input of the session at its
 * end. Lines that are typed on a terminal have been edited there.
 */
export class PipedInput implements Disposable {
  readonly #stdin: Console['stdin'];
  readonly #process: ExecProcess;
  #over = false;

  constructor(console: Console, process: ExecProcess) {
    this.#stdin = console.stdin;
    this.#process = process;
    // The session, or its input, may be over before this input is: then the rest has no reader.
    void this.#pass().catch((error: unknown) => {
      tellLongLine(console, error);
      this.dispose();
    });
  }

  dispose(): void {
    this.#over = true;
    this.#stdin.destroy();
  }

  async #pass(): Promise<void> {
    for await (const bytes of this.#stdin as AsyncIterable<Buffer>) {
      if ((await this.#process.write(bytes)) !== 'accepted') {
        this.dispose();
        return;
      }
    }
    if (!this.#over) {
      await this.#process.closeStdin();
    }
  }
}
