import { Alarm, type Clock, type Disposable, type InputMode, nothingToDispose } from '../../core/index.js';

import { comes, firstOf, timePasses, type Condition } from '../wait/conditions.js';
import type { KnownAgent } from './agents.js';
import type { AgentHost, HostedProcess } from '../host.js';
import type { OutputReader } from '../wait/outputReader.js';

/**
 * Milliseconds of silence after which a terminal is asked whether its program waits for a secret. Busy programs print.
 */
const QUIET_MS = 300;
/** The same at the end of a call that is shorter than that. */
const LAST_QUIET_MS = 100;
/**
 * If a machine has not answered after this time, in milliseconds, it counts as unable to tell. Its connection may be
 * interrupted, and a call must not wait for that.
 */
const ANSWER_MS = 1_000;
/**
 * While the terminal stays silent it is asked again after these times, less and less often: each question costs the
 * machine a process.
 */
const AGAIN_MS = [500, 1_000, 2_000];
const LAST_AGAIN_MS = 5_000;
/** The pauses between looks while a secret is awaited: after output, and otherwise. */
const AFTER_OUTPUT_MS = 100;
const WHILE_AWAITED_MS = 2_000;

/**
 * Detects whether a program waits for a secret in its terminal. The program then reads there, as far as that can be
 * told. Echo is off, but the terminal still hands over whole lines. At a shell's own prompt both are off. It looks
 * only while an agent waits, and from the moment a prompt is found until its end.
 */
export class SecretPrompt implements Disposable {
  readonly #hosted: HostedProcess;
  readonly #host: AgentHost;
  readonly #clock: Clock;
  /** The agents that know of the awaited secret, by id. */
  readonly #told = new Set<string>();
  #watch: Disposable | undefined;
  #disposed = false;

  constructor(hosted: HostedProcess, host: AgentHost, clock: Clock) {
    this.#hosted = hosted;
    this.#host = host;
    this.#clock = clock;
  }

  /** Whether prompts can be detected here. */
  get detectable(): boolean {
    return this.#hosted.process.info().tty && this.#hosted.backend.capabilities.inputMode;
  }

  /** Whether a secret is awaited, as far as is known. */
  get awaited(): boolean {
    return this.#watch !== undefined;
  }

  /** Whether there are people who are asked for the secret. */
  get personCalled(): boolean {
    return this.#host.callPerson !== undefined;
  }

  /** Whether it is not known if any of them notices. */
  get personMayBeAway(): boolean {
    return this.#host.peopleMayBeAway === true;
  }

  /**
   * Whether a secret is awaited that the agent does not know of. It counts as told then, and does not end the agent's
   * calls any more.
   */
  tell({ id }: KnownAgent): boolean {
    const isNew = this.awaited && !this.#told.has(id);
    this.#told.add(id);
    return isNew;
  }

  /**
   * Looks before something is typed, because the prompt may be newer than the last wait. A program that has echo off
   * only for a moment is given that moment. Resolves with the mode of the terminal, as far as that can be known.
   */
  async lookBeforeTyping(signal: AbortSignal): Promise<InputMode | undefined> {
    if (this.awaited) {
      return this.#lookAgain();
    }
    if (!this.detectable) {
      return undefined;
    }
    const mode = await this.#mode();
    if (!isSecret(mode)) {
      return mode;
    }
    await firstOf([timePasses(this.#clock, QUIET_MS, undefined)]);
    return this.#beginIfAsked(signal);
  }

  /** Forgets a prompt that has been answered, so that a next one, however soon it comes, is found and told as well. */
  answered(): void {
    this.#end();
  }

  /** Looks at the end of a call, which may come before the silence that {@link found} waits for. */
  async lookLast(
    { agent, signal }: { readonly agent: KnownAgent; readonly signal: AbortSignal },
    reader: OutputReader,
  ): Promise<void> {
    const known = this.awaited && this.#told.has(agent.id);
    const over = reader.exited || reader.lost;
    if (this.detectable && !known && !over && reader.silentMs >= LAST_QUIET_MS) {
      await this.#beginIfAsked(signal);
    }
  }

  /** Met when there is a prompt that the agent does not know of. Never met if prompts cannot be detected. */
  found<R>(agent: KnownAgent, reader: OutputReader, reason: R): Condition<R> {
    return (met) => {
      if (!this.detectable) {
        return nothingToDispose;
      }
      let disposed = false;
      let times = 0;
      let round = 0;
      const alarm = new Alarm(this.#clock);
      const ask = async () => {
        const mine = round;
        const secret = isSecret(await this.#mode());
        if (disposed) {
          return;
        }
        if (secret) {
          this.#begin();
        }
        if (secret && !this.#told.has(agent.id)) {
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

  /** The mode of the terminal now; undefined if that is unknown, for example without a connection. */
  #mode(): Promise<InputMode | undefined> {
    const { process, backend } = this.#hosted;
    if (backend.connection.kind !== 'connected') {
      return Promise.resolve(undefined);
    }
    const answer = process.inputMode().catch(() => undefined);
    return firstOf([comes(answer), timePasses(this.#clock, ANSWER_MS, undefined)]);
  }

  /** Forgets the prompt if it is over. */
  async #lookAgain(): Promise<InputMode | undefined> {
    const mode = await this.#mode();
    if (mode !== undefined && !isSecret(mode)) {
      this.#end();
    }
    return mode;
  }

  async #beginIfAsked(signal: AbortSignal): Promise<InputMode | undefined> {
    const mode = await this.#mode();
    if (isSecret(mode) && !signal.aborted && !this.#disposed) {
      this.#begin();
    }
    return mode;
  }

  /** Calls a person, and keeps looking until echo is back, the process has ended, or something else ends it. */
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
      await this.#lookAgain();
      if (this.#watch === watch && mine === round) {
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
    // A person who gives control back has dealt with the prompt, so the call for a person is over. If a secret is still
    // or again awaited, that needs a new call.
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

/** Whether a terminal in this mode is at a prompt for a secret. Where nobody is known to read, that is not claimed. */
function isSecret(mode: InputMode | undefined): boolean {
  return mode?.canonical === true && !mode.echo && mode.awaited !== false;
}
