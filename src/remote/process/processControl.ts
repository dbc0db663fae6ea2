import {
  checkPort,
  checkSize,
  type Clock,
  CTRL_C,
  ExecError,
  isPossibleSize,
  type InputMode,
  type InputWait,
  type PortListener,
  type ProcessIdentity,
  type ProcessLog,
  type ProcessUsage,
  type StopOptions,
  type StopReport,
  type Survivor,
  type TerminalSize,
  untilExit,
} from '../../core/index.js';
import type { ParamsOf, RequestName, ResultOf } from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { REMOTE_KILL_CONFIRM_MS, REQUEST_MS } from '../limits.js';
import { isSignalName, type ServerFacts } from '../session/serverFacts.js';
import { endSurvivor, stopWithBaseProtocol, stopWithLadder } from './stopping.js';
import { processIdOf } from '../session/sessionMemory.js';
import { inOurErrors, type NamedProcess } from '../session/wireFailures.js';

/** Signals, stops and resizes one process, as far as its server supports that. */
export class ProcessControl {
  readonly #process: NamedProcess;
  readonly #type: ((bytes: Uint8Array) => Promise<unknown>) | undefined;
  readonly #log: ProcessLog;
  readonly #server: ServerFacts;
  readonly #calls: Calls;
  readonly #clock: Clock;
  /** The size last requested, and the one that the server has. */
  #wantedSize: TerminalSize | undefined;
  #toldSize: TerminalSize | undefined;
  #resizing: Promise<void> | undefined;

  constructor(options: {
    process: NamedProcess;
    /** Types into the terminal of the process, if it has one. */
    type: ((bytes: Uint8Array) => Promise<unknown>) | undefined;
    size: TerminalSize | undefined;
    /** Once the log has failed, it is unknown whether the process runs, so no call may claim either. */
    log: ProcessLog;
    server: ServerFacts;
    calls: Calls;
    clock: Clock;
  }) {
    this.#process = options.process;
    this.#type = options.type;
    this.#wantedSize = this.#toldSize = options.size;
    this.#log = options.log;
    this.#server = options.server;
    this.#calls = options.calls;
    this.#clock = options.clock;
  }

  get size(): TerminalSize | undefined {
    return this.#wantedSize;
  }

  /** Takes the size from the server, unless another one has been requested. */
  told(size: TerminalSize): void {
    if (this.#type !== undefined && this.#resizing === undefined && isPossibleSize(size)) {
      this.#wantedSize = this.#toldSize = size;
    }
  }

  async signal(name: string): Promise<void> {
    const { signals = [] } = this.#server.additions;
    if (!isSignalName(name) && !signals.includes(name)) {
      throw new ExecError({ kind: 'unknownSignal', name });
    }
    this.#log.throwIfFailed();
    if (this.#log.exit !== undefined) {
      return;
    }
    if (name === 'SIGINT') {
      // An interrupt is not repeated: two have another effect than one, and the caller sees whether it worked.
      await this.#interrupt(false);
    } else if (signals.includes(name)) {
      await this.#call('process/signal', { processId: this.#process.wireId, signal: name });
    } else if (name === 'SIGKILL') {
      await this.terminate();
    } else if (signals.length > 0) {
      throw new ExecError({ kind: 'unknownSignal', name });
    } else {
      throw new ExecError({ kind: 'unsupported', feature: 'signal' });
    }
  }

  /** @returns whether the process was running. */
  async terminate(): Promise<boolean> {
    this.#log.throwIfFailed();
    if (this.#log.ended) {
      return false;
    }
    const running = await this.#kill();
    await untilExit(this.#log, { clock: this.#clock, limitMs: running ? REMOTE_KILL_CONFIRM_MS : 0 });
    return running;
  }

  async stop(options: StopOptions = {}): Promise<StopReport> {
    this.#log.throwIfFailed();
    if (this.#server.additions.stop === true) {
      return this.#translate(stopWithLadder(this.#calls, this.#process.wireId, options));
    }
    const target = {
      log: this.#log,
      interrupt: () => this.#interrupt(true),
      kill: () => this.#kill(),
    };
    return stopWithBaseProtocol(target, this.#clock, options);
  }

  async survivors(): Promise<readonly Survivor[]> {
    this.#checkSurvivors();
    const { survivors } = await this.#call('process/survivors', { processId: this.#process.wireId }, true);
    return survivors;
  }

  async listeners(port: number): Promise<readonly PortListener[]> {
    checkPort(port);
    if (this.#server.additions.listeners !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'listeners' });
    }
    this.#log.throwIfFailed();
    const params = { processId: this.#process.wireId, port };
    const { listeners } = await this.#call('process/listeners', params, true);
    return listeners.map(({ handle, processId, ...listener }) => ({
      ...listener,
      // As in the list of processes, those without a name of ours have their handles as ids.
      processId: processId === undefined ? handle : processIdOf(processId),
    }));
  }

  async usage(): Promise<ProcessUsage | undefined> {
    if (this.#server.additions.usage !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'usage' });
    }
    this.#log.throwIfFailed();
    if (this.#log.exit !== undefined) {
      return undefined;
    }
    const { usage } = await this.#call('process/usage', { processId: this.#process.wireId }, true);
    return usage ?? undefined;
  }

  async seqBefore(time: number): Promise<number> {
    if (this.#server.additions.outputTimes !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'outputTimes' });
    }
    this.#log.throwIfFailed();
    const params = { processId: this.#process.wireId, time: Math.max(0, Math.floor(time)) };
    return (await this.#call('process/seqBefore', params, true)).seq;
  }

  async endSurvivor({ pid, startTime }: ProcessIdentity, options: StopOptions): Promise<StopReport> {
    this.#checkSurvivors();
    return this.#translate(
      endSurvivor(this.#calls, { processId: this.#process.wireId, pid, startTime }, options),
    );
  }

  /** Resizes the terminal. While the server cannot be reached, only the newest size counts. */
  async resize(size: TerminalSize): Promise<void> {
    if (this.#type === undefined) {
      throw new ExecError({ kind: 'noTerminal', processId: this.#process.processId });
    }
    checkSize(size);
    if (this.#server.additions.resize !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'resize' });
    }
    this.#log.throwIfFailed();
    this.#wantedSize = size;
    if (!this.#log.ended) {
      // It ends at once if the server has that size already, so the end is noted in a later turn.
      this.#resizing ??= this.#tellSize().finally(() => (this.#resizing = undefined));
      await this.#resizing;
    }
  }

  async inputMode(): Promise<InputMode | undefined> {
    if (this.#server.additions.inputMode !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'inputMode' });
    }
    this.#log.throwIfFailed();
    if (this.#type === undefined || this.#log.exit !== undefined) {
      return undefined;
    }
    const { mode } = await this.#call('process/inputMode', { processId: this.#process.wireId }, true);
    return mode ?? undefined;
  }

  async inputWait(): Promise<InputWait | undefined> {
    if (this.#server.additions.inputWait !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'inputWait' });
    }
    this.#log.throwIfFailed();
    if (this.#log.exit !== undefined) {
      return undefined;
    }
    const { wait } = await this.#call('process/inputWait', { processId: this.#process.wireId }, true);
    return wait ?? undefined;
  }

  async #interrupt(repeat: boolean): Promise<void> {
    const { signals = [] } = this.#server.additions;
    if (this.#type !== undefined && signals.length === 0) {
      // Ctrl+C is typed, since the real server's interrupt reaches the shell, and not the program in its foreground.
      await this.#type(CTRL_C);
    } else {
      const params = { processId: this.#process.wireId, signal: 'interrupt' };
      await this.#call('process/signal', params, repeat);
    }
  }

  async #tellSize(): Promise<void> {
    try {
      while (this.#wantedSize !== undefined && !isSame(this.#wantedSize, this.#toldSize)) {
        let size = this.#wantedSize;
        const newest = () => {
          size = this.#wantedSize ?? size;
          return { processId: this.#process.wireId, size };
        };
        await this.#call('process/resize', newest, true);
        this.#toldSize = size;
      }
    } catch (error) {
      this.#wantedSize = this.#toldSize;
      throw error;
    }
  }

  #checkSurvivors(): void {
    if (this.#server.additions.survivors !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'survivors' });
    }
    this.#log.throwIfFailed();
  }

  async #kill(): Promise<boolean> {
    const { running } = await this.#call('process/terminate', { processId: this.#process.wireId }, true);
    return running;
  }

  #call<M extends RequestName>(
    method: M,
    params: ParamsOf<M> | (() => ParamsOf<M>),
    repeat = false,
  ): Promise<ResultOf<M>> {
    return this.#translate(this.#calls.call(method, params, { timeoutMs: REQUEST_MS, repeat }));
  }

  #translate<T>(answer: Promise<T>): Promise<T> {
    return inOurErrors(answer, this.#process);
  }
}

function isSame(one: TerminalSize, other: TerminalSize | undefined): boolean {
  return one.columns === other?.columns && one.rows === other.rows;
}
