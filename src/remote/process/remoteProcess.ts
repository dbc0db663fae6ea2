import { randomUUID } from 'node:crypto';

import {
  type Clock,
  CTRL_D,
  ExecError,
  type ExecFailure,
  type ExecProcess,
  type ExitStatus,
  type HeldProcess,
  type InputMode,
  type InputWait,
  type KeptOptions,
  type KeptOutput,
  type LogLimits,
  type PortListener,
  ProcessHandle,
  type ProcessIdentity,
  type ProcessInfo,
  type ProcessLog,
  type ProcessMetadata,
  type ProcessUsage,
  type Sandbox,
  type StartedWith,
  type StopOptions,
  type StopReport,
  type Survivor,
  type TerminalSize,
  type ViewState,
  type DescribeOptions,
  type WriteStatus,
} from '../../core/index.js';
import { encodeBase64, type ProcessDescription } from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { REQUEST_MS } from '../limits.js';
import { LogMirror } from '../log/logMirror.js';
import type { KeptName } from './keptOnServer.js';
import { ProcessControl } from './processControl.js';
import { RemoteInput } from './remoteInput.js';
import { SharedFacts } from './sharedFacts.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { execErrorOf, type NamedProcess, type WindowedProcess } from '../session/wireFailures.js';

/** The parameters with which a process was started. */
export interface Origin {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly size: TerminalSize | undefined;
  readonly metadata: ProcessMetadata;
  readonly startedAt: number;
  /** Its end so far when this client attached to it. Its log may still have to be read up to there. */
  readonly state?: ProcessInfo['state'] | undefined;
  readonly exit?: ExitStatus | undefined;
  readonly exitedAt?: number | undefined;
  readonly closedAt?: number | undefined;
  readonly owned: boolean;
  readonly sandbox?: Sandbox | undefined;
  /** Undefined if another client has started it. */
  readonly startedWith?: StartedWith | undefined;
  /** Whether another client started the process: a shutdown then does not end it. */
  readonly isForeign: boolean;
  /** The number of its last event when this client attached to it. */
  readonly priorSeq?: number | undefined;
  /** Whether an earlier client of this connection session may have typed into it. */
  readonly inputBefore?: boolean | undefined;
}

interface RemoteProcessOptions extends NamedProcess {
  readonly origin: Origin;
  readonly server: ServerFacts;
  readonly calls: Calls;
  readonly limits: LogLimits;
  readonly clock: Clock;
  /** Reads the output of the process that is kept elsewhere than in its log. */
  readonly readKept: (named: KeptName, options: KeptOptions) => Promise<KeptOutput>;
  /** Called when the process has exited, closed, failed, or has another size. */
  readonly onChange: (process: RemoteProcess) => void;
  /** Called when a holder has released the process. */
  readonly onRelease: (process: RemoteProcess) => void;
}

/** A process on a server: its log, which follows the server's, and the facts about it. */
export class RemoteProcess implements WindowedProcess, HeldProcess {
  readonly processId: string;
  /** The name of the process in this connection session. */
  readonly wireId: string;
  readonly #origin: Origin;
  readonly #server: ServerFacts;
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #readKept: RemoteProcessOptions['readKept'];
  readonly #onChange: (process: RemoteProcess) => void;
  readonly #onRelease: (process: RemoteProcess) => void;
  /** The copy of the server's log, to which notifications go directly. */
  readonly mirror: LogMirror;
  readonly #control: ProcessControl;
  readonly #input: RemoteInput;
  readonly #shared: SharedFacts;
  /** The server's own name for the process. For a process of this client, it is known once the server has sent it. */
  #handle: string | undefined;
  #started = false;
  #pid: number | undefined;
  #exitedAt: number | undefined;
  #closedAt: number | undefined;
  #holders = 0;

  constructor(options: RemoteProcessOptions) {
    const { origin, server, calls, limits, clock } = options;
    this.processId = options.processId;
    this.wireId = options.wireId;
    this.#origin = origin;
    this.#exitedAt = origin.exitedAt;
    this.#closedAt = origin.closedAt;
    this.#server = server;
    this.#calls = calls;
    this.#clock = clock;
    this.#readKept = options.readKept;
    this.#handle = origin.isForeign ? options.processId : undefined;
    this.#onChange = options.onChange;
    this.#onRelease = options.onRelease;
    const process = { processId: this.processId, wireId: this.wireId };
    const onChange = () => this.#changed();
    this.mirror = new LogMirror({ process, server, calls, limits, clock, onChange });
    const { log } = this.mirror;
    const { tty, size } = origin;
    const type = tty ? (bytes: Uint8Array) => this.write(bytes) : undefined;
    this.#control = new ProcessControl({ process, type, size, log, server, calls, clock });
    const { metadata, startedWith } = origin;
    this.#shared = new SharedFacts({
      process,
      metadata,
      startedWith,
      log,
      server,
      calls,
      onChange: () => this.#onChange(this),
    });
    this.#input = new RemoteInput(
      this.processId,
      {
        send: (bytes, writeId) => this.#send(bytes, writeId),
        close: () => this.#sendClose(),
        isConnected: () => calls.isConnected,
      },
      origin.inputBefore === true ? `${randomUUID()}-` : '',
    );
  }

  get log(): ProcessLog {
    return this.mirror.log;
  }

  get windowBytes(): number {
    return this.mirror.windowBytes;
  }

  get isForeign(): boolean {
    return this.#origin.isForeign;
  }

  get owned(): boolean {
    return this.#origin.owned;
  }

  get held(): boolean {
    return this.#holders > 0;
  }

  /** Called when the server has started the process, or has attached this session to it. */
  started(pid: number | undefined): void {
    this.#started = true;
    this.#pid = pid;
  }

  /** Called when there is another connection. */
  resume(): void {
    this.#input.resume();
    this.mirror.resume();
    this.#shared.resume();
  }

  /** Called when the process can never be reached again. */
  fail(failure: ExecFailure): void {
    this.mirror.fail(failure);
    this.#input.fail(new ExecError(this.log.failure ?? failure));
  }

  /** Takes the server's description, with the changes of other clients. */
  told(said: ProcessDescription): void {
    this.#handle = said.handle;
    if (said.size !== undefined) {
      this.#control.told(said.size);
    }
    this.#shared.told(said);
  }

  /** Called when the server has forgotten the process: output that is not here by now will never come. */
  removed(): void {
    if (!this.log.ended) {
      this.fail({ kind: 'processRemoved', processId: this.processId });
    }
  }

  info(): ProcessInfo {
    const { log } = this;
    const { argv, cwd, tty, pipeStdin, startedAt, priorSeq, sandbox } = this.#origin;
    const { failure, exit = this.#origin.exit } = log;
    const { size } = this.#control;
    return {
      processId: this.processId,
      argv,
      cwd,
      tty,
      pipeStdin,
      state: this.#state,
      ...(this.#pid !== undefined && { pid: this.#pid }),
      startedAt,
      ...(this.#exitedAt !== undefined && { exitedAt: this.#exitedAt }),
      ...(this.#closedAt !== undefined && { closedAt: this.#closedAt }),
      ...(exit && { exit }),
      ...(failure && { failure }),
      ...(size && { size }),
      output: log.stats,
      ...(priorSeq !== undefined && { priorSeq }),
      metadata: this.#shared.metadata,
      ...(this.owned && { owned: true }),
      ...(sandbox && { sandbox }),
      ...(this.#shared.viewedElsewhere && { viewedElsewhere: true }),
    };
  }

  async write(bytes: Uint8Array): Promise<WriteStatus> {
    this.log.throwIfFailed();
    if (this.#input.isClosed || (!this.#origin.tty && !this.#origin.pipeStdin)) {
      return 'stdinClosed';
    }
    if (this.log.closed && !this.#origin.tty) {
      // The write is refused here, since the real server would accept a last one before it notices the end.
      throw new ExecError({ kind: 'writeFailed', processId: this.processId });
    }
    try {
      return await this.#input.write(bytes);
    } catch (error) {
      throw execErrorOf(error, this);
    }
  }

  async closeStdin(): Promise<void> {
    const { tty, pipeStdin } = this.#origin;
    if (!tty && !pipeStdin) {
      throw new ExecError({ kind: 'noStdinPipe', processId: this.processId });
    }
    if (this.log.closed) {
      return;
    }
    if (tty) {
      // Typing the end of the input works with every server.
      await this.write(CTRL_D);
    } else if (this.#server.additions.closeStdin === true) {
      await this.#input.close().catch((error: unknown) => {
        throw execErrorOf(error, this);
      });
    } else {
      throw new ExecError({ kind: 'unsupported', feature: 'closeStdin' });
    }
  }

  async resize(size: TerminalSize): Promise<void> {
    const before = this.#control.size;
    await this.#control.resize(size);
    if (before?.columns !== size.columns || before.rows !== size.rows) {
      this.#onChange(this);
    }
  }

  inputMode(): Promise<InputMode | undefined> {
    return this.#control.inputMode();
  }

  inputWait(): Promise<InputWait | undefined> {
    return this.#control.inputWait();
  }

  signal(name: string): Promise<void> {
    return this.#control.signal(name);
  }

  /** @returns whether the process was running. */
  terminate(): Promise<boolean> {
    return this.#control.terminate();
  }

  stop(options?: StopOptions): Promise<StopReport> {
    return this.#control.stop(options);
  }

  survivors(): Promise<readonly Survivor[]> {
    return this.#control.survivors();
  }

  listeners(port: number): Promise<readonly PortListener[]> {
    return this.#control.listeners(port);
  }

  usage(): Promise<ProcessUsage | undefined> {
    return this.#control.usage();
  }

  endSurvivor(survivor: ProcessIdentity, options: StopOptions = {}): Promise<StopReport> {
    return this.#control.endSurvivor(survivor, options);
  }

  describe(patch: ProcessMetadata, options?: DescribeOptions): Promise<void> {
    return this.#shared.describe(patch, options);
  }

  startedWith(): Promise<StartedWith> {
    return this.#shared.startedWith();
  }

  readKept(options: KeptOptions): Promise<KeptOutput> {
    return this.#readKept({ processId: this.wireId, handle: this.#handle }, options);
  }

  seqBefore(time: number): Promise<number> {
    return this.#control.seqBefore(time);
  }

  view(state: ViewState): Promise<void> {
    return this.#shared.view(state);
  }

  hold(): ExecProcess {
    this.#holders += 1;
    return new ProcessHandle(this, () => {
      this.#holders -= 1;
      this.#onRelease(this);
    });
  }

  get #state(): ProcessInfo['state'] {
    if (this.log.failure !== undefined) {
      return 'failed';
    }
    const { state } = this.#origin;
    if (this.log.closed || state === 'closed') {
      return 'closed';
    }
    return this.log.exit !== undefined || state === 'exited'
      ? 'exited'
      : this.#started
        ? 'running'
        : 'starting';
  }

  #changed(): void {
    if (this.log.exit !== undefined) {
      this.#exitedAt ??= this.#clock.wallTime();
    }
    if (this.log.closed) {
      this.#closedAt ??= this.#clock.wallTime();
    }
    const { failure } = this.log;
    if (failure !== undefined) {
      this.#input.fail(new ExecError(failure));
    }
    this.#onChange(this);
  }

  async #send(bytes: Uint8Array, writeId: string): Promise<WriteStatus> {
    const chunk = encodeBase64(bytes);
    const answer = await this.#calls.callNow('process/write', { processId: this.wireId, chunk, writeId });
    return answer.status;
  }

  async #sendClose(): Promise<void> {
    const params = { processId: this.wireId };
    await this.#calls.callNow('process/closeStdin', params, { timeoutMs: REQUEST_MS });
  }
}
