import type { ProcessMetadata } from '../metadata.js';
import type {
  DescribeOptions,
  ExecProcess,
  InputMode,
  ProcessInfo,
  StartedWith,
  StopOptions,
  StopReport,
  Survivor,
  ViewState,
  WriteStatus,
} from './execBackend.js';
import type { InputWait } from './inputWait.js';
import type { TerminalSize } from './terminalSize.js';
import type { ExecEvent, KeptOptions, KeptOutput, ReadOptions, ReadResponse } from './execEvents.js';
import type { SubscribeOptions, Subscription } from '../log/logSubscription.js';
import type { ProcessIdentity } from './processIdentity.js';
import type { ProcessLog } from '../log/processLog.js';
import type { PortListener, ProcessUsage } from './processUsage.js';

/** The side of a process that its backend works with. */
export interface HeldProcess extends Omit<
  ExecProcess,
  OfHandle | 'closeStdin' | 'resize' | 'terminate' | 'describe'
> {
  readonly log: ProcessLog;
  /** Whether it stays until it is removed, see {@link StartParams.owned}. */
  readonly owned: boolean;
  /** Whether a caller holds it. */
  readonly held: boolean;
  closeStdin(): unknown;
  resize(size: TerminalSize): unknown;
  /** @returns whether it was running. */
  terminate(): Promise<boolean>;
  describe(patch: ProcessMetadata, options?: DescribeOptions): unknown;
  /** Creates a hold on the process for one caller; see {@link ExecProcess.release}. */
  hold(): ExecProcess;
}

/** The members of a handle that the backend has no part in. */
type OfHandle = 'onWake' | 'read' | 'subscribe' | 'evictTo' | 'release';

/** One caller's hold on a process. */
export class ProcessHandle implements ExecProcess {
  readonly #process: HeldProcess;
  #release: (() => void) | undefined;

  constructor(process: HeldProcess, release: () => void) {
    this.#process = process;
    this.#release = release;
  }

  get processId(): string {
    return this.#process.processId;
  }

  get onWake(): ExecProcess['onWake'] {
    return this.#process.log.onWake;
  }

  info(): ProcessInfo {
    return this.#process.info();
  }

  read(options?: ReadOptions, signal?: AbortSignal): Promise<ReadResponse> {
    return this.#process.log.read(options, signal);
  }

  subscribe(options: SubscribeOptions, listener: (event: ExecEvent) => void): Subscription {
    return this.#process.log.subscribe(options, listener);
  }

  readKept(options: KeptOptions): Promise<KeptOutput> {
    return this.#process.readKept(options);
  }

  seqBefore(time: number): Promise<number> {
    return this.#process.seqBefore(time);
  }

  write(bytes: Uint8Array): Promise<WriteStatus> {
    return this.#process.write(bytes);
  }

  async closeStdin(): Promise<void> {
    await this.#process.closeStdin();
  }

  async resize(size: TerminalSize): Promise<void> {
    await this.#process.resize(size);
  }

  inputMode(): Promise<InputMode | undefined> {
    return this.#process.inputMode();
  }

  inputWait(): Promise<InputWait | undefined> {
    return this.#process.inputWait();
  }

  signal(name: string): Promise<void> {
    return this.#process.signal(name);
  }

  async terminate(): Promise<{ readonly running: boolean }> {
    return { running: await this.#process.terminate() };
  }

  stop(options?: StopOptions): Promise<StopReport> {
    return this.#process.stop(options);
  }

  survivors(): Promise<readonly Survivor[]> {
    return this.#process.survivors();
  }

  listeners(port: number): Promise<readonly PortListener[]> {
    return this.#process.listeners(port);
  }

  usage(): Promise<ProcessUsage | undefined> {
    return this.#process.usage();
  }

  endSurvivor(survivor: ProcessIdentity, options?: StopOptions): Promise<StopReport> {
    return this.#process.endSurvivor(survivor, options);
  }

  async describe(patch: ProcessMetadata, options?: DescribeOptions): Promise<void> {
    await this.#process.describe(patch, options);
  }

  startedWith(): Promise<StartedWith> {
    return this.#process.startedWith();
  }

  view(state: ViewState): Promise<void> {
    return this.#process.view(state);
  }

  evictTo(bytes: number): void {
    this.#process.log.evictTo(bytes);
  }

  release(): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }
}

/** The key that interrupts the program in a terminal's foreground. */
export const CTRL_C = Uint8Array.of(3);
/** The key that ends the input in a terminal. */
export const CTRL_D = Uint8Array.of(4);
