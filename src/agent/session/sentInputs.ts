import type { Clock, Disposable, ExecProcess } from '../../core/index.js';

import type { TypedText } from '../text/index.js';
import type { Agent } from '../tool.js';

/** How long the echo of an input may take, in milliseconds. */
const ECHO_MS = 1_000;
/** The inputs that are remembered; those of people are single keys. */
const KEPT = 128;
/** The length of an input up to which its echo is recognised, in UTF-16 units. */
const KEPT_UNITS = 8_192;

interface SentInput extends TypedText {
  /** The id of the agent; undefined for a person. */
  readonly agent: string | undefined;
  /** The time when the terminal got it; undefined before that. */
  takenAt: number | undefined;
  echoThrough: number | undefined;
}

/** An input that is being sent. */
export interface Sending {
  /** The program's side has it. */
  taken(): void;
  /** It was not sent. */
  refused(): void;
  /** Whether nobody has sent anything else since. */
  isLast(): boolean;
}

/** The newest inputs that agents and people have sent to a session, and their places in its output. */
export class SentInputs implements Disposable {
  readonly #process: Pick<ExecProcess, 'info' | 'onWake'>;
  readonly #clock: Clock;
  #inputs: readonly SentInput[] = [];
  #count = 0;
  /** The last number of the output that came within {@link ECHO_MS} of the last input. */
  #seen = 0;
  #watch: Disposable | undefined;

  constructor(process: Pick<ExecProcess, 'info' | 'onWake'>, clock: Clock) {
    this.#process = process;
    this.#clock = clock;
  }

  /** Oldest first. */
  get all(): readonly TypedText[] {
    return this.#inputs;
  }

  /** The last number of the output before the last input of an agent; undefined without one. */
  lastOf(agent: Agent): number | undefined {
    return this.#inputs.findLast((input) => input.agent === agent.id)?.afterSeq;
  }

  /** Called just before an input is sent. @param agent Undefined for a person. */
  sending(agent: Agent | undefined, text: string): Sending {
    this.#endEchoes();
    const { lastSeq } = this.#process.info().output;
    this.#count += 1;
    const last = this.#inputs.at(-1);
    const input: SentInput = {
      number: this.#count,
      agent: agent?.id,
      afterSeq: lastSeq,
      text: text.slice(0, KEPT_UNITS),
      goesOn: last !== undefined && last.echoThrough === undefined,
      takenAt: undefined,
      echoThrough: undefined,
    };
    this.#inputs = [...this.#inputs, input].slice(-KEPT);
    this.#seen = lastSeq;
    this.#watch ??= this.#process.onWake((seq) => {
      this.#endEchoes();
      this.#seen = seq;
    });
    return {
      taken: () => (input.takenAt = this.#clock.now()),
      refused: () => (this.#inputs = this.#inputs.filter((other) => other !== input)),
      isLast: () => this.#count === input.number,
    };
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
  }

  /** Takes note of the echoes that can no longer come. Output triggers this, so no timer is needed. */
  #endEchoes(): void {
    const last = this.#inputs.at(-1);
    if (last?.takenAt === undefined || this.#clock.now() - last.takenAt < ECHO_MS) {
      return;
    }
    for (const input of this.#inputs) {
      input.echoThrough ??= this.#seen;
    }
    this.dispose();
  }
}
