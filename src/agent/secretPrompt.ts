import type { Clock, Disposable } from '../core/index.js';

import { Alarm } from './alarm.js';
import { comes, firstOf, timePasses, type Condition } from './conditions.js';
import type { AgentHost, HostedProcess } from './host.js';
import type { OutputReader } from './outputReader.js';

/** Silence after which a terminal is asked whether its program waits for a secret. A program that works prints. */
const QUIET_MS = 300;
/** The same at the end of a call that is too short for that. */
const LAST_QUIET_MS = 100;
/** A machine that has not answered by then cannot tell. Its connection may be away, and a call must not wait for it. */
const ANSWER_MS = 1_000;
/** While it stays silent it is asked again, less and less often: each time costs the machine a process. */
const AGAIN_MS = [500, 1_000, 2_000];
const LAST_AGAIN_MS = 5_000;
/** While a secret is awaited: after something was printed, and otherwise. */
const AFTER_OUTPUT_MS = 100;
const WHILE_AWAITED_MS = 2_000;

/**
 * Whether a program waits for a secret in its terminal: it has turned echo off, and lines are still handed over whole.
 * A shell's own prompt has both off. Looked at only while an agent waits, and from a found prompt to its end.
 */
export class SecretPrompt implements Disposable {
  readonly #hosted: HostedProcess;
  readonly #host: AgentHost;
  readonly #clock: Clock;
  readonly #told = new Set<string>();
  #watch: Disposable | undefined;
  #disposed = false;

  constructor(hosted: HostedProcess, host: AgentHost, clock: Clock) {
    this.#hosted = hosted;
    this.#host = host;
    this.#clock = clock;
  }

  /** Whether that can be known here. */
  get detectable(): boolean {
    return this.#hosted.process.info().tty && this.#hosted.backend.capabilities.inputMode;
  }

  /** Whether a secret is awaited, as far as is known. */
  get awaited(): boolean {
    return this.#watch !== undefined;
  }

  /** Whether there are people who are asked for it. */
  get personCalled(): boolean {
    return this.#host.callPerson !== undefined;
  }

  /** The agent has been told of the awaited secret: it is no reason any more to end a call of it. */
  tell(agent: string): void {
    this.#told.add(agent);
  }

  /** Looks again, and forgets the prompt if it is over. Resolves with whether a secret is awaited. */
  async look(): Promise<boolean> {
    if (this.awaited && (await this.#ask()) === false) {
      this.#end();
    }
    return this.awaited;
  }

  /**
   * Looks before something is typed, since the prompt may be newer than the last wait. A program that has echo off only
   * for a moment is given that moment. Resolves with whether a secret is awaited.
   */
  async lookBeforeTyping(signal: AbortSignal): Promise<boolean> {
    if (this.awaited) {
      return this.look();
    }
    if (this.detectable && (await this.#ask()) === true) {
      await firstOf([timePasses(this.#clock, QUIET_MS, undefined)]);
      await this.#beginIfAsked(signal);
    }
    return this.awaited;
  }

  /** Looks at the end of a call, which may come before a silence that {@link found} waits for. */
  async lookLast(
    { agent, signal }: { readonly agent: string; readonly signal: AbortSignal },
    reader: OutputReader,
  ): Promise<void> {
    const known = this.awaited && this.#told.has(agent);
    const over = reader.exited || reader.lost;
    if (this.detectable && !known && !over && reader.silentMs >= LAST_QUIET_MS) {
      await this.#beginIfAsked(signal);
    }
  }

  /** Met when a prompt is found that the agent does not know of. Without the capability it never is. */
  found<R>(agent: string, reader: OutputReader, reason: R): Condition<R> {
    return (met) => {
      if (!this.detectable) {
        return { dispose: () => undefined };
      }
      let disposed = false;
      let times = 0;
      let round = 0;
      const alarm = new Alarm(this.#clock);
      const ask = async () => {
        const mine = round;
        const secret = (await this.#ask()) === true;
        if (disposed) {
          return;
        }
        if (secret) {
          this.#begin();
        }
        if (secret && !this.#told.has(agent)) {
          met(reason);
        } else if (mine === round) {
          alarm.set(AGAIN_MS[times] ?? LAST_AGAIN_MS, ask);
          times += 1;
        }
      };
      alarm.set(QUIET_MS, ask);
      const output = reader.onEvent((event) => {
        round += 1;
        times = 0;
        alarm.dispose();
        if (event === 'output') {
          alarm.set(QUIET_MS, ask);
        }
      });
      return {
        dispose: () => {
          disposed = true;
          alarm.dispose();
          output.dispose();
        },
      };
    };
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  /** Undefined if it cannot be told now, for example because the connection is away. */
  #ask(): Promise<boolean | undefined> {
    const { process, backend } = this.#hosted;
    if (backend.connection.kind !== 'connected') {
      return Promise.resolve(undefined);
    }
    const answer = process.inputMode().then(
      (mode) => mode?.canonical === true && !mode.echo,
      () => undefined,
    );
    return firstOf([comes(answer), timePasses(this.#clock, ANSWER_MS, undefined)]);
  }

  async #beginIfAsked(signal: AbortSignal): Promise<void> {
    if ((await this.#ask()) === true && !signal.aborted && !this.#disposed) {
      this.#begin();
    }
  }

  /** Calls a person, and looks on until echo is back, the process is over, or somebody else ends it. */
  #begin(): void {
    if (this.#watch !== undefined) {
      return;
    }
    this.#told.clear();
    const { process } = this.#hosted;
    const attention = this.#host.callPerson?.(this.#hosted, 'secret');
    let round = 0;
    let soon = false;
    const alarm = new Alarm(this.#clock);
    const look = async () => {
      const mine = round;
      soon = false;
      if ((await this.look()) && this.#watch === watch && mine === round) {
        alarm.set(WHILE_AWAITED_MS, look);
      }
    };
    alarm.set(WHILE_AWAITED_MS, look);
    const wake = process.onWake(() => {
      const { exit, state } = process.info();
      if (exit !== undefined || state === 'failed') {
        this.#end();
      } else if (!soon) {
        soon = true;
        round += 1;
        alarm.set(AFTER_OUTPUT_MS, look);
      }
    });
    // Who has given control back has been there: the call is over. If a secret is still, or again, waited for, that is
    // another one.
    const control = this.#hosted.onDidChangeController((controller) => {
      if (controller === 'agent') {
        this.#end();
      }
    });
    const watch = {
      dispose: () => {
        alarm.dispose();
        wake.dispose();
        control.dispose();
        attention?.dispose();
      },
    };
    this.#watch = watch;
  }

  #end(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
  }
}
