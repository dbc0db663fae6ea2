import {
  ExecError,
  isPossibleSize,
  LastWords,
  patchedMetadata,
  type ProcessLog,
  type ProcessMetadata,
  type StartedWith,
  type TerminalSize,
  type ViewState,
  type DescribeOptions,
} from '../../core/index.js';
import type { ParamsOf, ProcessDescription, ResultOf } from '../../protocol/index.js';
import { REQUEST_MS } from '../limits.js';
import { nativePath } from '../session/hostInfo.js';
import type { Calls } from '../session/resumableConnection.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { inOurErrors, type NamedProcess } from '../session/wireFailures.js';
import { keptDescription } from './keptDescription.js';
import { describedSandbox } from './sandboxOnWire.js';

type OwnRequest = 'process/describe' | 'process/startedWith' | 'process/view';

/**
 * The facts of one process that all clients of a server know and may change: its metadata, and the clients that show
 * it.
 */
export class SharedFacts {
  readonly #process: NamedProcess;
  readonly #startedWith: StartedWith | undefined;
  readonly #log: ProcessLog;
  readonly #server: ServerFacts;
  readonly #calls: Calls;
  readonly #onChange: () => void;
  #metadata: ProcessMetadata;
  #viewedElsewhere = false;
  #view: ViewState = 'none';
  #lastWords = LastWords.none;

  constructor(options: {
    process: NamedProcess;
    metadata: ProcessMetadata;
    /** Undefined if another client has started it. */
    startedWith: StartedWith | undefined;
    log: ProcessLog;
    server: ServerFacts;
    calls: Calls;
    onChange: () => void;
  }) {
    this.#process = options.process;
    this.#metadata = options.metadata;
    this.#startedWith = options.startedWith;
    this.#log = options.log;
    this.#server = options.server;
    this.#calls = options.calls;
    this.#onChange = options.onChange;
  }

  get metadata(): ProcessMetadata {
    return this.#metadata;
  }

  get viewedElsewhere(): boolean {
    return this.#viewedElsewhere;
  }

  /** Takes the server's description of the process. */
  told(said: ProcessDescription): void {
    const { metadata } = keptDescription(said);
    const viewedElsewhere = said.view === 'other';
    const isNew =
      viewedElsewhere !== this.#viewedElsewhere ||
      JSON.stringify(metadata) !== JSON.stringify(this.#metadata);
    this.#metadata = metadata;
    this.#viewedElsewhere = viewedElsewhere;
    if (isNew) {
      this.#onChange();
    }
  }

  async describe(patch: ProcessMetadata, options?: DescribeOptions): Promise<void> {
    const { additions } = this.#server;
    if (additions.metadata !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'metadata' });
    }
    this.#log.throwIfFailed();
    // Checked here as well, since the server's error names the process by its handle.
    const after = patchedMetadata(this.#process.processId, this.#metadata, patch, options?.provided);
    this.#lastWords = this.#lastWords.and(patch, options);
    await this.#tell(patch, options);
    if (additions.changes !== true) {
      // Otherwise the server has already sent the current metadata, including the changes of other clients.
      this.#metadata = after;
      this.#onChange();
    }
  }

  async startedWith(): Promise<StartedWith> {
    if (this.#startedWith !== undefined) {
      return this.#startedWith;
    }
    const { additions, host } = this.#server;
    if (additions.startedWith !== true) {
      throw new ExecError({ kind: 'unsupported', feature: 'startedWith' });
    }
    const said = await this.#call('process/startedWith', { processId: this.#process.wireId });
    const { size, cwd, sandbox, ...others } = said;
    const possible: TerminalSize | undefined = size && isPossibleSize(size) ? size : undefined;
    return {
      ...others,
      cwd: nativePath(cwd, host.platform) ?? cwd,
      ...(possible && { size: possible }),
      ...(sandbox && { sandbox: describedSandbox(sandbox, host) }),
    };
  }

  async view(state: ViewState): Promise<void> {
    this.#view = state;
    if (this.#server.additions.views === true && this.#calls.isConnected) {
      await this.#tellView();
    }
  }

  /**
   * Called when there is another connection. The server has forgotten which processes the previous one showed, and has
   * made the changes due at its end.
   */
  resume(): void {
    for (const { patch, options } of this.#lastWords.again()) {
      this.#tell(patch, options).catch(() => undefined);
    }
    if (this.#view !== 'none' && this.#server.additions.views === true) {
      // Fails only if this connection is lost as well; the next one then sends it.
      this.#tellView().catch(() => undefined);
    }
  }

  async #tell(patch: ProcessMetadata, { whenGone, provided }: DescribeOptions = {}): Promise<void> {
    const { patch: then, timeKey } = whenGone ?? {};
    await this.#call('process/describe', {
      processId: this.#process.wireId,
      patch: { ...patch },
      ...(whenGone && {
        whenGone: { ...(then && { patch: { ...then } }), ...(timeKey !== undefined && { timeKey }) },
      }),
      ...(provided && { provided: { ...provided } }),
    });
  }

  async #tellView(): Promise<void> {
    await this.#call('process/view', { processId: this.#process.wireId, state: this.#view });
  }

  #call<M extends OwnRequest>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    const options = { timeoutMs: REQUEST_MS, repeat: true };
    return inOurErrors(this.#calls.call(method, params, options), this.#process);
  }
}
