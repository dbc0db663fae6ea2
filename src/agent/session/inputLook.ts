import { type Clock, type InputMode, type InputWait, oneLine, QUESTION_LENGTH } from '../../core/index.js';

import type { KnownAgent } from './agents.js';
import type { HostedProcess } from '../host.js';
import type { SentInputs } from './sentInputs.js';
import { comes, firstOf, timePasses } from '../wait/conditions.js';

/**
 * If a machine has not answered after this time, in milliseconds, it counts as unable to tell. Its connection may be
 * interrupted, and a call must not wait for that.
 */
const ANSWER_MS = 1_000;

/** A question that the program asks in its terminal. */
export interface Question {
  /** The words of the program, on one line. */
  readonly text: string;
  /** The time of the last output, as far as it is known, in milliseconds since 1970. */
  readonly since: number;
  /** Whether nobody has typed since. */
  readonly untouched: boolean;
}

/** The outcome of looks. It counts until something is printed or typed. */
interface Found {
  /** The output and the input until then. */
  readonly moment: string;
  readonly since: number;
  /** The agents that know of the question, by id. */
  readonly told: Set<string>;
  readonly wait: InputWait | undefined;
}

/** Looks at what the program of a session waits for. It keeps the last answer for as long as it counts. */
export class InputLook {
  readonly #hosted: Pick<HostedProcess, 'process' | 'backend'>;
  readonly #inputs: SentInputs;
  readonly #clock: Clock;
  #last: Found | undefined;

  constructor(hosted: Pick<HostedProcess, 'process' | 'backend'>, inputs: SentInputs, clock: Clock) {
    this.#hosted = hosted;
    this.#inputs = inputs;
    this.#clock = clock;
  }

  /** Whether it can be found that a program waits for a secret. */
  get findsSecrets(): boolean {
    const { inputMode, inputWait } = this.#hosted.backend.capabilities;
    return this.#hosted.process.info().tty && (inputMode || inputWait);
  }

  /** The input that the program waits for, if the last look has found it and nothing has happened since. */
  get found(): InputWait | undefined {
    return this.#current?.wait;
  }

  get question(): Question | undefined {
    const { wait, since = 0 } = this.#current ?? {};
    if (wait?.question === undefined) {
      return undefined;
    }
    const typed = this.#inputs.all.at(-1)?.text ?? '\n';
    // A part of an answer may be typed, and other programs do not say what is typed there.
    const untouched = /[\r\n]$/.test(typed) && this.#hosted.process.info().viewedElsewhere !== true;
    return { text: oneLine(wait.question, QUESTION_LENGTH), since, untouched };
  }

  /** Whether there is a question that the agent does not know of. */
  asksAnew({ id }: KnownAgent): boolean {
    return this.question !== undefined && this.#current?.told.has(id) !== true;
  }

  /** Takes note that the agent is told of the question. */
  tell({ id }: KnownAgent): void {
    this.#current?.told.add(id);
  }

  /** How the terminal takes input; undefined if that is unknown, for example without a connection. */
  mode(): Promise<InputMode | undefined> {
    const { process, backend } = this.#hosted;
    const known = process.info().tty && backend.capabilities.inputMode;
    return known ? this.#answer(() => process.inputMode()) : Promise.resolve(undefined);
  }

  /** Never rejects. @param silentMs For how long nothing has been printed, as far as that is known. */
  async now(silentMs = 0): Promise<InputWait | undefined> {
    const moment = this.#moment;
    const since = this.#clock.wallTime() - silentMs;
    const wait = await this.#wait();
    if (moment === this.#moment) {
      this.#last = { since, told: new Set(), ...this.#current, moment, wait };
    }
    return wait;
  }

  get #moment(): string {
    const { output, state } = this.#hosted.process.info();
    return `${state} ${output.lastSeq} ${this.#inputs.all.at(-1)?.number ?? 0}`;
  }

  get #current(): Found | undefined {
    return this.#last?.moment === this.#moment ? this.#last : undefined;
  }

  async #wait(): Promise<InputWait | undefined> {
    const { process, backend } = this.#hosted;
    const { tty, pipeStdin, state } = process.info();
    if (state !== 'running' || !(tty || pipeStdin)) {
      return undefined;
    }
    return backend.capabilities.inputWait
      ? this.#answer(() => process.inputWait())
      : secretIn(await this.mode());
  }

  #answer<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    if (this.#hosted.backend.connection.kind !== 'connected') {
      return Promise.resolve(undefined);
    }
    const answer = ask().catch(() => undefined);
    return firstOf([comes(answer), timePasses(this.#clock, ANSWER_MS, undefined)]);
  }
}

/**
 * The sign of a secret where nobody can tell who reads: echo is off, but the terminal still hands over whole lines. At a
 * shell's own prompt both are off.
 */
function secretIn(mode: InputMode | undefined): InputWait | undefined {
  const kind = mode?.canonical === true && !mode.echo ? 'secret' : 'none';
  return mode && { kind };
}
