import type { Clock, Disposable, ExecProcess } from '../core/index.js';

import type { TypedText } from './text/index.js';
import type { Agent } from './tool.js';

/** How long the echo of an input may take, in milliseconds. */
const ECHO_MS = 1_000;
/** The inputs of agents that are remembered. */
const KEPT = 16;
/** The same of people, whose inputs are single keys. */
const KEPT_OF_PEOPLE = 256;
/** The length of an input up to which its echo is recognised, in UTF-16 units. */
const KEPT_UNITS = 16_384;

interface SentInput extends TypedText {
  /** The id of the agent; undefined for a person. */
  readonly agent: string | undefined;
  /** When the terminal had it; undefined before that. */
  takenAt: number | undefined;
  echoThrough: number | undefined;
}

/** An input that is being sent. */
export interface Sending {
  /** The program's side has it. */
  taken(): void;
  /** It was not sent. */
  refused(): void;
}

/** The newest inputs that agents and people have sent to a session, and where in its output that was. */
export class SentInputs implements Disposable {
  readonly #process: Pick<ExecProcess, 'info' | 'onWake'>;
  readonly #clock: Clock;
  #inputs: readonly SentInput[] = [];
  #count = 0;
  /** The last number of the output that has come within {@link ECHO_MS} of the last input. */
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

  /** Called just before an input of a person is sent. Its echo is none of the program's output either. */
  personTypes(text: string): void {
    this.#sending(undefined, text).taken();
  }

  /** Called just before an input is sent. */
  sending(agent: Agent, text: string): Sending {
    return this.#sending(agent.id, text);
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
  }

  #sending(agent: string | undefined, text: string): Sending {
    this.#endEchoes();
    const { lastSeq } = this.#process.info().output;
    this.#count += 1;
    const last = this.#inputs.at(-1);
    const input: SentInput = {
      number: this.#count,
      agent,
      afterSeq: lastSeq,
      text: text.slice(0, KEPT_UNITS),
      goesOn: last !== undefined && last.echoThrough === undefined,
      takenAt: undefined,
      echoThrough: undefined,
    };
    this.#inputs = newest([...this.#inputs, input]);
    this.#seen = lastSeq;
    this.#watch ??= this.#process.onWake((seq) => this.#woken(seq));
    return {
      taken: () => (input.takenAt = this.#clock.now()),
      refused: () => (this.#inputs = this.#inputs.filter((other) => other !== input)),
    };
  }

  #woken(lastSeq: number): void {
    this.#endEchoes();
    this.#seen = lastSeq;
  }

  /** Takes note of the echoes that can come no more. Output wakes this, so no timer has to. */
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

/** Those that are remembered. */
function newest(inputs: readonly SentInput[]): readonly SentInput[] {
  const ofPeople = inputs.filter(({ agent }) => agent === undefined);
  const forgotten = new Set([
    ...ofPeople.slice(0, -KEPT_OF_PEOPLE),
    ...inputs.filter(({ agent }) => agent !== undefined).slice(0, -KEPT),
  ]);
  return inputs.filter((input) => !forgotten.has(input));
}
