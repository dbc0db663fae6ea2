import { Alarm, type Clock, type Disposable, type InputMode, type InputWait } from '../../core/index.js';

import type { KnownAgent } from './agents.js';
import type { AgentHost, HostedProcess } from '../host.js';
import type { InputLook } from './inputLook.js';
import { firstOf, timePasses } from '../wait/conditions.js';
import type { OutputReader } from '../wait/outputReader.js';

/** Milliseconds after which a second look, before something is typed, no longer finds an echo that was off for a moment. */
const MOMENT_MS = 300;
/** Milliseconds of silence that are enough for a prompt at the end of a call. Busy programs print. */
const LAST_QUIET_MS = 100;
/** The pauses between looks while a secret is awaited: after output, and otherwise. */
const AFTER_OUTPUT_MS = 100;
const WHILE_AWAITED_MS = 2_000;

/** The secret that a program waits for in its terminal: watched from the moment a look finds it until its end. */
export class SecretPrompt implements Disposable {
  readonly #hosted: HostedProcess;
  readonly #host: AgentHost;
  readonly #look: InputLook;
  readonly #clock: Clock;
  /** The agents that know of the awaited secret, by id. */
  readonly #told = new Set<string>();
  #watch: Disposable | undefined;
  #disposed = false;

  constructor(hosted: HostedProcess, host: AgentHost, look: InputLook, clock: Clock) {
    this.#hosted = hosted;
    this.#host = host;
    this.#look = look;
    this.#clock = clock;
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

  /** Whether a secret is awaited that the agent does not know of. */
  isNewTo({ id }: KnownAgent): boolean {
    return this.awaited && !this.#told.has(id);
  }

  /** The same; it counts as told then, and does not end the agent's calls any more. */
  tell(agent: KnownAgent): boolean {
    const isNew = this.isNewTo(agent);
    this.#told.add(agent.id);
    return isNew;
  }

  /**
   * Looks before something is typed, because the prompt may be newer than the last wait. A program that has echo off
   * only for a moment is given that moment. Resolves with the mode of the terminal, as far as that can be known.
   */
  async lookBeforeTyping(signal: AbortSignal): Promise<InputMode | undefined> {
    const [mode, wait] = await Promise.all([this.#look.mode(), this.#look.now()]);
    if (this.awaited) {
      this.#endUnless(wait);
    } else if (wait?.kind === 'secret') {
      await firstOf([timePasses(this.#clock, MOMENT_MS, undefined)]);
      this.beginIf(await this.#look.now(), signal);
    }
    return mode;
  }

  /** Forgets a prompt that has been answered, so that a next one, however soon it comes, is found and told as well. */
  answered(): void {
    this.#end();
  }

  /** Looks at the end of a call, which may come before the silence in which others look. */
  async lookLast(signal: AbortSignal, { silentMs }: OutputReader): Promise<void> {
    const wait = await this.#look.now(silentMs);
    if (silentMs >= LAST_QUIET_MS) {
      this.beginIf(wait, signal);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  #endUnless(wait: InputWait | undefined): void {
    if (wait !== undefined && wait.kind !== 'secret') {
      this.#end();
    }
  }

  /** Calls a person if a secret is awaited, and keeps looking until echo is back, the process has ended, or something else ends it. */
  beginIf(wait: InputWait | undefined, signal: AbortSignal): void {
    if (wait?.kind !== 'secret' || this.#watch !== undefined || signal.aborted || this.#disposed) {
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
      this.#endUnless(await this.#look.now());
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
