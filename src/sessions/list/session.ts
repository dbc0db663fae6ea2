import {
  commandLineOf,
  CTRL_D,
  Emitter,
  type Event,
  type ExecBackend,
  type ExecFailure,
  type ExecProcess,
  type ExitStatus,
  type LaunchOrigin,
  type LaunchRequest,
  type LogStats,
  type LossReason,
  type ProcessIdentity,
  type ProcessMetadata,
  type StopOptions,
  type StopReport,
  type Survivor,
  systemClock,
} from '../../core/index.js';

import { SessionControl, type Controller, type PersonWanted } from './control.js';
import { type EndedBy, SessionRecord } from './sessionRecord.js';

/** A place where processes run, with the name that people see. */
export interface ExecEnvironment {
  readonly id: string;
  readonly label: string;
  readonly backend: ExecBackend;
}

/**
 * `exited`: the process has exited, output may still follow. `closed`: the output has ended too. `lost`: the process
 * can never be reached again.
 */
export type SessionState = 'starting' | 'running' | 'exited' | 'closed' | 'lost';

/** An operation that a session's backend may not support. */
type Lack = 'resize' | 'closeStdin' | 'stop';

/** Everything about a session that is shown, as plain data. Times are milliseconds since 1970. */
export interface SessionSnapshot {
  readonly id: string;
  readonly environment: { readonly id: string; readonly label: string };
  /** Present if this window found the session and did not start it. */
  readonly adopted?: true;
  /** The folder of the window that has started it. */
  readonly folder?: string;
  /** Present while the connection to its machine is being recovered, which is given up at the time `until`. */
  readonly recovering?: { readonly reason: LossReason; readonly until: number };
  /** The operations that its backend does not support; present if there are any. */
  readonly lacks?: readonly Lack[];
  /** The name that the user has given it, if any. */
  readonly title?: string;
  readonly commandLine: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /** Present once its standard input, a pipe, has been closed. */
  readonly inputClosed?: true;
  readonly origin: LaunchOrigin;
  /** The one who may type into it. Present for agents' sessions only. */
  readonly controller?: Controller;
  /** The reason why an agent's session waits for a person; present while it does. */
  readonly waitsForPerson?: PersonWanted;
  /** The session that this one repeats. */
  readonly previousId?: string;
  readonly state: SessionState;
  /** Whether a stop is under way. */
  readonly stopping: boolean;
  readonly pid?: number;
  readonly startedAt: number;
  readonly exitedAt?: number;
  readonly closedAt?: number;
  readonly exit?: ExitStatus;
  /** Present if it ended after a person or an agent stopped it, in this window or elsewhere. */
  readonly stopped?: true;
  /** Present if it was ended by a signal that an agent is known to have sent. */
  readonly signalledByAgent?: true;
  /** The one who has ended it, if that was remembered. */
  readonly endedBy?: EndedBy;
  /** Present if it outlives the windows: its backend keeps it until somebody removes it. */
  readonly owned?: true;
  /** Whether its output is kept on disk as well; present if its backend can do that. */
  readonly outputOnDisk?: 'kept' | 'none';
  /** The marks that people of any window have put on it, see `WindowMarks`; absent without marks. */
  readonly marks?: readonly string[];
  /** Present if an agent's session goes on without a window for as long as people's sessions do. */
  readonly keep?: true;
  /** The reason for the loss. */
  readonly failure?: ExecFailure;
  /** Its leftover processes at the last look; absent without any. */
  readonly survivors?: readonly Survivor[];
  readonly output: LogStats;
}

const NO_OUTPUT: LogStats = {
  bytes: 0,
  chunks: 0,
  retainedBytes: 0,
  evicted: { bytes: 0, chunks: 0, throughSeq: 0 },
  missing: { chunks: 0, bytes: 0 },
  lastSeq: 0,
};

/** A process as people see it: with a name, a history, and a place in the list that outlasts the process. */
export class Session {
  readonly id: string;
  readonly environment: ExecEnvironment;
  readonly request: LaunchRequest;
  /** Whether its process was there already, so that not all of its start is known. */
  readonly adopted: boolean;
  /** The facts of the session that are not facts of its process. Other windows see them too. */
  readonly record: SessionRecord;
  /** Knows who controls the session. Only an agent's session has one. */
  readonly control: SessionControl | undefined;
  readonly #didChange = new Emitter<Session>();
  readonly #createdAt: number;
  #process: ExecProcess | undefined;
  #stops = 0;
  /** Whether a stop was begun while it ran, and has not been given up. */
  #stopAsked = false;
  #survivors: readonly Survivor[] = [];

  constructor(options: {
    id: string;
    environment: ExecEnvironment;
    request: LaunchRequest;
    /** The metadata that its process has from the start. */
    metadata: ProcessMetadata;
    /** Whether its process was there already, so that not all of its start is known. */
    adopted?: boolean;
    now: number;
  }) {
    this.id = options.id;
    this.environment = options.environment;
    this.request = options.request;
    this.adopted = options.adopted ?? false;
    this.record = new SessionRecord(options.metadata, () => this.changed());
    this.control = options.request.origin.kind === 'agent' ? new SessionControl(this.record) : undefined;
    this.#createdAt = options.now;
  }

  /** Fires when anything but the output changes. */
  get onDidChange(): Event<Session> {
    return this.#didChange.event;
  }

  /** @throws Error while the session starts. */
  get process(): ExecProcess {
    if (this.#process === undefined) {
      throw new Error(`Session ${this.id} has not started yet.`);
    }
    return this.#process;
  }

  /** Whether its backend keeps it until somebody removes it. */
  get owned(): boolean {
    return this.#process?.info().owned ?? false;
  }

  /**
   * The request that starts the same command once more, with the variables that the backend reports. A backend that is
   * lost or cannot report them leaves the usual variables.
   */
  async startedWith(): Promise<LaunchRequest> {
    if (!this.environment.backend.capabilities.startedWith) {
      return this.request;
    }
    const told = await this.process.startedWith().catch(() => undefined);
    return told === undefined ? this.request : { ...this.request, envPolicy: undefined, ...told };
  }

  /** The process's id in its backend. */
  get processId(): string {
    return this.#process?.processId ?? this.id;
  }

  get commandLine(): string {
    return commandLineOf(this.request);
  }

  /** The name that the user has given it, if any. */
  get title(): string | undefined {
    return this.record.title;
  }

  /** The session that this one repeats. */
  get previousId(): string | undefined {
    return this.record.previousId;
  }

  /** The folder of the window that has started it. */
  get folder(): string | undefined {
    return this.record.folder;
  }

  get cwd(): string {
    return this.request.cwd;
  }

  /** The title, or the command line if there is no title. */
  get label(): string {
    return this.title ?? this.commandLine;
  }

  get state(): SessionState {
    const state = this.#process?.info().state ?? 'starting';
    return state === 'failed' ? 'lost' : state;
  }

  /** Whether the process itself has ended or was lost; its output may still be open. */
  get ended(): boolean {
    return this.state !== 'starting' && this.state !== 'running';
  }

  /** Bytes of its output that are still there. */
  get retainedBytes(): number {
    return this.#process?.info().output.retainedBytes ?? 0;
  }

  /** The operations that its backend does not support. */
  get lacks(): readonly Lack[] {
    const { capabilities } = this.environment.backend;
    return (['resize', 'closeStdin', 'stop'] as const).filter((name) => !capabilities[name]);
  }

  /** Whether only its agent may type into it. False after the end, since an ended session takes no input. */
  get controlledByAgent(): boolean {
    return this.control?.controller === 'agent' && !this.ended;
  }

  snapshot(): SessionSnapshot {
    const info = this.#process?.info();
    const waitsForPerson = this.ended ? undefined : this.control?.waitsFor;
    const recovering = this.#recovering();
    const { title, previousId, inputClosed, folder, keep, marks } = this.record;
    const endedBy = this.ended ? this.record.endedBy : undefined;
    return {
      id: this.id,
      environment: { id: this.environment.id, label: this.environment.label },
      ...(this.adopted && { adopted: true }),
      ...(folder !== undefined && { folder }),
      ...(recovering && { recovering }),
      ...(this.lacks.length > 0 && { lacks: this.lacks }),
      ...(title !== undefined && { title }),
      commandLine: this.commandLine,
      argv: this.request.argv,
      cwd: this.request.cwd,
      tty: this.request.tty,
      pipeStdin: this.request.pipeStdin ?? false,
      ...(inputClosed && { inputClosed: true }),
      origin: this.request.origin,
      ...(this.control && { controller: this.control.controller }),
      ...(waitsForPerson && { waitsForPerson }),
      ...(previousId !== undefined && { previousId }),
      state: this.state,
      stopping: this.#stops > 0 && !this.ended,
      ...(info?.pid !== undefined && { pid: info.pid }),
      startedAt: info?.startedAt ?? this.#createdAt,
      ...(info?.exitedAt !== undefined && { exitedAt: info.exitedAt }),
      ...(info?.closedAt !== undefined && { closedAt: info.closedAt }),
      ...(info?.exit && { exit: info.exit }),
      ...(this.#wasStopped && { stopped: true }),
      ...(this.ended && this.record.endedBySignalOf === 'agent' && { signalledByAgent: true }),
      ...(endedBy && { endedBy }),
      ...(this.owned && { owned: true }),
      ...(keep && { keep: true }),
      ...(marks.length > 0 && { marks }),
      ...(this.owned &&
        this.environment.backend.capabilities.keptOutput && {
          outputOnDisk: this.record.outputKept ? 'kept' : 'none',
        }),
      ...(info?.failure !== undefined && { failure: info.failure }),
      ...(this.#survivors.length > 0 && { survivors: this.#survivors }),
      output: info?.output ?? NO_OUTPUT,
    };
  }

  /** Sets the title. An empty one removes the title, so that people see the command line again. */
  rename(title: string): void {
    this.record.title = title.trim() === '' ? undefined : title.trim();
  }

  /**
   * Ends standard input. A terminal gets the key that does so, which may be pressed again; a pipe is closed for good.
   */
  async closeInput(): Promise<void> {
    if (this.request.tty && this.lacks.includes('closeStdin')) {
      await this.process.write(CTRL_D);
      return;
    }
    await this.process.closeStdin();
    if (!this.request.tty && !this.record.inputClosed) {
      this.record.inputClosed = true;
    }
  }

  /** Sends the process a signal for a person. If the signal ends it, the person has stopped it. */
  async signalAsPerson(name: string): Promise<void> {
    const takeBack = this.notePersonsSignal(name);
    try {
      await this.process.signal(name);
    } catch (error) {
      takeBack?.();
      throw error;
    }
  }

  /**
   * Notes that a person has sent the session a signal, or has typed a key that sends one.
   *
   * @returns a function to call if the signal was not sent after all.
   */
  notePersonsSignal(name: string): (() => void) | undefined {
    return this.ended ? undefined : this.record.signalledByPerson(name, systemClock.wallTime());
  }

  /** Stops the process step by step. Meanwhile the session shows that it is being stopped. */
  async stop(options?: StopOptions): Promise<StopReport> {
    this.#stops += 1;
    this.#stopAsked ||= !this.ended;
    this.changed();
    try {
      const report = await this.process.stop(options);
      this.#survivors = report.exited ? report.survivors : [];
      this.#stopAsked &&= this.ended;
      return report;
    } finally {
      this.#stops -= 1;
      this.changed();
    }
  }

  /** Its leftover processes at the last look. */
  get survivors(): readonly Survivor[] {
    return this.#survivors;
  }

  /** Looks for leftover processes of the session. Rejects if its backend cannot look. */
  async lookForSurvivors(): Promise<readonly Survivor[]> {
    const before = this.#survivors;
    this.#survivors = await this.process.survivors();
    if (before.length > 0 || this.#survivors.length > 0) {
      this.changed();
    }
    return this.#survivors;
  }

  /** Ends one leftover process of the session. */
  async endSurvivor(survivor: ProcessIdentity, options?: StopOptions): Promise<StopReport> {
    const report = await this.process.endSurvivor(survivor, options);
    await this.lookForSurvivors();
    return report;
  }

  /** For the list that owns the session: the process has started. */
  attachProcess(process: ExecProcess): void {
    this.#process = process;
    this.record.attach(process);
    this.changed();
  }

  /** For the list that owns the session: something about the process has changed. */
  changed(): void {
    this.#didChange.fire(this);
    this.control?.look();
  }

  /** Whether its end was wanted: somebody stopped it, or a person's signal ended it. */
  get #wasStopped(): boolean {
    const { endedBy, endedBySignalOf } = this.record;
    return this.ended && (this.#stopAsked || endedBy !== undefined || endedBySignalOf === 'person');
  }

  /** Undefined for a closed or lost session, in any state of its machine, since no more output can arrive. */
  #recovering(): SessionSnapshot['recovering'] {
    const { connection } = this.environment.backend;
    const over = this.state === 'closed' || this.state === 'lost';
    return connection.kind === 'recovering' && !over
      ? { reason: connection.reason, until: connection.until }
      : undefined;
  }

  /** For the list that owns the session: releases the process. */
  release(): void {
    this.#process?.release();
    this.control?.dispose();
    this.#didChange.dispose();
  }
}
