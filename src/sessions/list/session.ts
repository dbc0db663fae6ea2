import {
  commandLineOf,
  CTRL_D,
  Emitter,
  type Event,
  type ExecProcess,
  type LaunchRequest,
  type LogStats,
  type ProcessIdentity,
  type ProcessMetadata,
  type ProcessUsage,
  type StopOptions,
  type StopReport,
  type Survivor,
  systemClock,
} from '../../core/index.js';

import { SessionControl } from './control.js';
import type { ExecEnvironment } from './environment.js';
import { SessionRecord } from './sessionRecord.js';
import type { Lack, SessionSnapshot, SessionState } from './sessionSnapshot.js';

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
  #ports: readonly number[] = [];
  #asks: SessionSnapshot['asks'];

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
    const sandbox = info?.sandbox ?? this.request.sandbox;
    const { title, previousId, batch, inputClosed, folder, keep, marks, folderEnvironment } = this.record;
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
      ...(sandbox && { sandbox }),
      ...(folderEnvironment && { folderEnvironment }),
      ...(inputClosed && { inputClosed: true }),
      origin: this.request.origin,
      ...(this.control && { controller: this.control.controller }),
      ...(waitsForPerson && { waitsForPerson }),
      ...(this.asks && { asks: this.asks }),
      ...(previousId !== undefined && { previousId }),
      ...(batch !== undefined && { batch }),
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
      ...(this.ports.length > 0 && { ports: this.ports }),
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

  /** The TCP ports that it listened at when they were looked at last, lowest first. An ended session has none. */
  get ports(): readonly number[] {
    return this.ended ? [] : this.#ports;
  }

  /** Reads its use of the machine, as {@link ExecProcess.usage} does, and remembers the ports. */
  async usage(): Promise<ProcessUsage | undefined> {
    const usage = await this.process.usage();
    const ports = usage?.ports?.map(({ port }) => port) ?? [];
    if (ports.join() !== this.#ports.join()) {
      this.#ports = ports;
      this.changed();
    }
    return usage;
  }

  /** The question that it asks, as far as is known. An ended session asks nothing. */
  get asks(): SessionSnapshot['asks'] {
    return this.ended ? undefined : this.#asks;
  }

  setQuestion(question: string | undefined): void {
    if (question !== this.#asks?.question) {
      this.#asks = question === undefined ? undefined : { question, since: systemClock.wallTime() };
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
