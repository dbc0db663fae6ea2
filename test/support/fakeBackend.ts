import {
  Emitter,
  execErrors,
  ProcessLog,
  type BackendChange,
  type ExecBackend,
  type ExecProcess,
  type ProcessInfo,
  type StartParams,
  type StopReport,
} from '../../src/core/index.js';

const UNUSED = () => Promise.reject(new Error('not used'));

/** A process that does what a test says. */
export class FakeProcess {
  readonly log: ProcessLog;
  readonly params: StartParams;
  holders = 0;
  readonly #onChange: () => void;

  constructor(params: StartParams, onChange: () => void) {
    this.params = params;
    this.#onChange = onChange;
    this.log = new ProcessLog();
  }

  print(text: string): void {
    this.log.appendOutput(this.params.tty ? 'pty' : 'stdout', new TextEncoder().encode(text));
  }

  exit(exitCode: number): void {
    this.log.appendExit({ exitCode });
    this.#onChange();
  }

  close(): void {
    this.log.appendClose();
    this.#onChange();
  }

  info(): ProcessInfo {
    const { params, log } = this;
    return {
      processId: params.processId,
      argv: params.argv,
      cwd: params.cwd,
      tty: params.tty,
      pipeStdin: params.pipeStdin ?? false,
      state: log.closed ? 'closed' : log.exit ? 'exited' : 'running',
      pid: 1234,
      startedAt: 0,
      ...(log.exit && { exit: log.exit }),
      output: log.stats,
      metadata: params.metadata ?? {},
    };
  }

  hold(): ExecProcess {
    this.holders += 1;
    const report: StopReport = { running: true, steps: ['interrupt'], exited: true, survivors: [] };
    return {
      processId: this.params.processId,
      onWake: this.log.onWake,
      info: () => this.info(),
      read: (options, signal) => this.log.read(options, signal),
      subscribe: (options, listener) => this.log.subscribe(options, listener),
      write: () => Promise.resolve('accepted'),
      closeStdin: () => Promise.resolve(),
      resize: () => Promise.resolve(),
      signal: () => Promise.resolve(),
      terminate: () => Promise.resolve({ running: true }),
      stop: () => {
        this.exit(130);
        return Promise.resolve(report);
      },
      evictTo: (bytes) => this.log.evictTo(bytes),
      release: () => {
        this.holders -= 1;
      },
    };
  }
}

/** A backend without processes: they exit, close and print when a test says so. */
export class FakeBackend implements ExecBackend {
  readonly capabilities = {
    resize: true,
    initialSize: true,
    closeStdin: true,
    list: true,
    attach: true,
    signals: ['SIGTERM'],
  };

  readonly processes: FakeProcess[] = [];
  /** Starts are refused while this is set. */
  refuse = false;
  readonly #didChange = new Emitter<BackendChange>();
  readonly onDidChange = this.#didChange.event;
  readonly attach = UNUSED;
  readonly read = UNUSED;
  readonly write = UNUSED;
  readonly closeStdin = UNUSED;
  readonly resize = UNUSED;
  readonly signal = UNUSED;
  readonly terminate = UNUSED;
  readonly stop = UNUSED;

  async start(params: StartParams): Promise<ExecProcess> {
    await Promise.resolve();
    if (this.refuse) {
      throw execErrors.programNotFound(params.argv[0] ?? '', params.cwd);
    }
    const process = new FakeProcess(params, () =>
      this.#didChange.fire({ type: 'changed', processId: params.processId }),
    );
    this.processes.push(process);
    return process.hold();
  }

  list(): Promise<readonly ProcessInfo[]> {
    return Promise.resolve(this.processes.map((process) => process.info()));
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}
