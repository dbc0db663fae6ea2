import {
  type ExecProcess,
  type ExitStatus,
  Handshakes,
  messageOf,
  type OutputChunk,
  placeText,
  Semaphore,
} from '../../core/index.js';
import { PlainText } from '../../terminal/index.js';
import { type Console, remark, say } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { manyJson, type PlaceEnd, tableOfEnds } from '../output/manyEnds.js';
import { connectPlace, type Place } from '../places.js';
import { follow } from '../sessions/follow.js';
import { signalAsPerson } from '../sessions/personsSignal.js';
import { type RunOptions, startSession } from './run.js';

export interface ManyOptions extends Omit<RunOptions, 'on'> {
  readonly places: readonly Place[];
  /** The most sessions that run side by side. */
  readonly atOnce: number;
  readonly json: boolean;
}

/** The most characters of one line before it is printed without its end. */
const LONGEST_LINE = 8_192;

/**
 * Runs a command in several places, with pipes and without input. Prints the lines of all with the names of their
 * places, then how each has ended.
 *
 * @returns 0 if all have exited with 0, else the highest exit code; 125 where a session was lost or not started.
 */
export async function runMany(console: Console, options: ManyOptions): Promise<number> {
  const many = new Many(console, options);
  const stop = interruptBySignals(many);
  try {
    const ends = await many.run();
    if (options.json) {
      say(console, manyJson(ends));
    } else if (!options.detach) {
      tableOfEnds(console, ends).forEach((line) => remark(console, line));
    }
    return codeOf(ends);
  } finally {
    stop();
  }
}

class Many {
  readonly #console: Console;
  readonly #options: ManyOptions;
  readonly #handshakes = new Handshakes();
  readonly #running = new Set<ExecProcess>();
  /** Aborted once nothing more is to be started. */
  readonly #stop = new AbortController();

  constructor(console: Console, options: ManyOptions) {
    this.#console = console;
    this.#options = options;
  }

  run(): Promise<readonly PlaceEnd[]> {
    const { places, atOnce } = this.#options;
    const room = new Semaphore(atOnce);
    return Promise.all(places.map((place) => room.run(() => this.#runOn(place))));
  }

  /** Starts nothing more, and sends all that run a signal. */
  interrupt(name: string): void {
    this.#stop.abort();
    for (const process of this.#running) {
      void signalAsPerson(process, name, this.#console.clock).catch(() => undefined);
    }
  }

  /** Never rejects. */
  async #runOn(place: Place): Promise<PlaceEnd> {
    const name = placeText(place);
    const { signal } = this.#stop;
    let id: string | undefined;
    try {
      signal.throwIfAborted();
      const machine = await this.#handshakes.connect(() =>
        connectPlace(this.#console, place, { asks: false, signal }),
      );
      try {
        signal.throwIfAborted();
        const options = { ...this.#options, ...WITHOUT_INPUT, on: place };
        const session = await startSession(this.#console, machine, options);
        id = session.processId;
        if (this.#options.detach) {
          say(this.#console, `${id}  ${name}`);
          return { name, kind: 'started', id };
        }
        const since = this.#console.clock.now();
        const exit = await this.#follow(name, session);
        return { name, kind: 'exited', id, exit, seconds: (this.#console.clock.now() - since) / 1_000 };
      } finally {
        machine.disconnect();
      }
    } catch (error) {
      const reason = signal.aborted && id === undefined ? 'not started' : messageOf(error);
      return { name, kind: 'lost', id, reason };
    }
  }

  /** @throws Error if the session is lost. */
  async #follow(name: string, process: ExecProcess): Promise<ExitStatus> {
    const { stdout, stderr } = this.#console;
    const outputs = { stdout: new PrefixedLines(name), stderr: new PrefixedLines(name) };
    this.#running.add(process);
    if (this.#stop.signal.aborted) {
      await signalAsPerson(process, 'SIGINT', this.#console.clock).catch(() => undefined);
    }
    try {
      const exit = await follow(process, (event, done) => {
        if (event.type === 'output') {
          const isError = event.stream === 'stderr';
          const text = (isError ? outputs.stderr : outputs.stdout).write(event);
          (isError || this.#options.json ? stderr : stdout).write(text, () => done());
        } else if (event.type === 'closed') {
          return process.info().exit;
        }
        return undefined;
      });
      stderr.write(outputs.stderr.end());
      (this.#options.json ? stderr : stdout).write(outputs.stdout.end());
      if (exit === undefined) {
        throw new Error('its end is not known');
      }
      return exit;
    } finally {
      this.#running.delete(process);
    }
  }
}

const WITHOUT_INPUT = { pipes: true, input: false } as const;

/** Puts the name of a place before each line of its output. */
class PrefixedLines {
  readonly #name: string;
  #text = new PlainText();

  constructor(name: string) {
    this.#name = name;
  }

  write(chunk: OutputChunk): string {
    const ended = this.#text.write(chunk);
    return this.#prefixed(this.#text.lastLength > LONGEST_LINE ? `${ended}${this.#cut()}` : ended);
  }

  end(): string {
    return this.#prefixed(this.#cut());
  }

  /** Ends the line that goes on. */
  #cut(): string {
    const rest = this.#text.end();
    this.#text = new PlainText();
    return rest === '' || rest.endsWith('\n') ? rest : `${rest}\n`;
  }

  #prefixed(lines: string): string {
    return lines.replace(/^(?=[^]).*$\n?/gm, (line) => `${this.#name} | ${line}`);
  }
}

/** The first interrupt goes to all sessions, the second kills them; a signal to end goes on to them. */
function interruptBySignals(many: Many): () => void {
  let interrupts = 0;
  const onInterrupt = () => many.interrupt(++interrupts > 1 ? 'SIGKILL' : 'SIGINT');
  const onEnd = () => many.interrupt('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onEnd);
  return () => {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onEnd);
  };
}

function codeOf(ends: readonly PlaceEnd[]): number {
  return Math.max(
    ...ends.map((end) => {
      switch (end.kind) {
        case 'started':
          return ExitCode.done;
        case 'exited':
          return end.exit.exitCode;
        case 'lost':
          return ExitCode.ownFailure;
      }
    }),
  );
}
