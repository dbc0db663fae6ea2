import * as vscode from 'vscode';

import type {
  ExecSession,
  ExecSessionsApi,
  OutputEvent,
  OutputSubscription,
  ReadOptions,
  ReadResult,
  SessionInfo,
  StopReport,
  SubscribeOptions,
  WriteStatus,
} from '../api/exec-sessions.js';
import type { Disposable, Event } from '../core/index.js';
import {
  type ArgumentCheck,
  checkFunction,
  checkInput,
  checkOptions,
  checkSize,
  checkText,
  checkToken,
  parseStartOptions,
} from '../sessions/options/index.js';
import { failureText, lossText, nameInMessage, sessionErrorText } from '../sessions/words/index.js';
import type { Environments } from '../sessions/environments/index.js';
import type { Session, SessionEvents, SessionList } from '../sessions/list/index.js';
import type { SessionStarter } from './sessionStarter.js';
import type { Stopper } from './stopper.js';
import type { SessionTerminals } from './terminals/sessionTerminals.js';
import { errorText, UserError } from './userError.js';

interface ApiServices {
  readonly list: SessionList;
  readonly environments: Environments;
  readonly events: SessionEvents;
  readonly starter: Pick<SessionStarter, 'start'>;
  readonly stopper: Stopper;
  readonly terminals: SessionTerminals;
}

/** The public API over the services. */
export function createApi(services: ApiServices): ExecSessionsApi {
  const { list, environments, events, starter, terminals } = services;
  const handles = new WeakMap<Session, ExecSession>();
  const handleOf = (session: Session): ExecSession => {
    let handle = handles.get(session);
    if (handle === undefined) {
      handle = new ApiSession(session, services);
      handles.set(session, handle);
    }
    return handle;
  };
  const eventOf = (event: Event<Session>) => toVscodeEvent(event, handleOf);
  return Object.freeze<ExecSessionsApi>({
    version: 1,
    start: async (options) => {
      const parsed = parseStartOptions(options, vscode.l10n);
      if (!parsed.ok) {
        throw new UserError(parsed.message);
      }
      const { startedBy, show } = parsed.value;
      const session = await withReadableErrors(() =>
        starter.start(parsed.value, startedBy ?? { kind: 'extension' }),
      );
      if (show) {
        terminals.open(session, { fresh: true, preserveFocus: true });
      }
      return handleOf(session);
    },
    environments: () =>
      environments.all.map(({ id, label, kind, state }) => ({ id, label, kind, state: state.kind })),
    list: () => list.sessions.filter(({ state }) => state !== 'starting').map(handleOf),
    get: (id) => {
      const session = list.get(id);
      return session === undefined || session.state === 'starting' ? undefined : handleOf(session);
    },
    onDidStart: eventOf(events.onDidStart),
    onDidChange: eventOf(events.onDidChange),
    onDidExit: eventOf(events.onDidExit),
    onDidEnd: eventOf(events.onDidEnd),
    onDidRemove: eventOf(events.onDidRemove),
  });
}

class ApiSession implements ExecSession {
  readonly id: string;
  readonly #session: Session;
  readonly #services: ApiServices;

  constructor(session: Session, services: ApiServices) {
    this.id = session.id;
    this.#session = session;
    this.#services = services;
  }

  info(): SessionInfo {
    const { origin, output, recovering, failure, lacks, ...rest } = this.#listed().snapshot();
    const { bytes, retainedBytes, evicted, missing } = output;
    return {
      ...rest,
      ...(recovering && {
        recovering: { ...recovering, reason: lossText(recovering.reason, vscode.l10n) },
      }),
      ...(failure && { failure: failureText(failure, vscode.l10n) }),
      cannot: lacks ?? [],
      startedBy: origin,
      output: { bytes, retainedBytes, evicted, missing },
    };
  }

  async read(options?: ReadOptions, token?: vscode.CancellationToken): Promise<ReadResult> {
    const { process } = this.#given(
      checkOptions(options, { afterSeq: 'whole', maxBytes: 'amount', waitMs: 'amount' }),
      checkToken(token),
    );
    const answer = await process.read(options, signalOf(token));
    const { failure, ...rest } = answer;
    return failure === undefined ? rest : { ...rest, failure: failureText(failure, vscode.l10n) };
  }

  subscribe(listener: (event: OutputEvent) => void, options: SubscribeOptions = {}): OutputSubscription {
    const { process } = this.#given(
      checkFunction('listener', listener),
      checkOptions(options, { afterSeq: 'whole', windowBytes: 'amount' }),
    );
    const { afterSeq, windowBytes } = options;
    return process.subscribe({ afterSeq, windowBytes }, (event) =>
      listener(
        event.type === 'failed'
          ? { type: 'failed', message: failureText(event.failure, vscode.l10n) }
          : event,
      ),
    );
  }

  async write(data: string | Uint8Array): Promise<WriteStatus> {
    const { process } = this.#given(checkInput('data', data));
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    const status = await this.#withReadableErrors(() => process.write(bytes));
    return status === 'accepted' ? status : 'stdinClosed';
  }

  async closeInput(): Promise<void> {
    const session = this.#listed();
    return this.#withReadableErrors(() => session.closeInput());
  }

  async resize(size: { readonly columns: number; readonly rows: number }): Promise<void> {
    const { process } = this.#given(checkSize(size));
    return this.#withReadableErrors(() => process.resize(size));
  }

  async signal(name: string): Promise<void> {
    const { process } = this.#given(checkText('name', name));
    return this.#withReadableErrors(() => process.signal(name));
  }

  async stop(token?: vscode.CancellationToken): Promise<StopReport> {
    return this.#services.stopper.stop(this.#given(checkToken(token)), signalOf(token));
  }

  async kill(): Promise<StopReport> {
    return this.#services.stopper.kill(this.#listed());
  }

  rename(title: string): void {
    this.#given(checkText('title', title)).rename(title);
  }

  show(options: { readonly preserveFocus?: boolean } = {}): void {
    const session = this.#given(checkOptions(options, { preserveFocus: 'flag' }));
    this.#services.terminals.open(session, options);
  }

  remove(): void {
    const session = this.#listed();
    if (this.#services.list.remove([session]).length === 0) {
      throw new UserError(
        vscode.l10n.t('"{0}" is still running. Stop it first, then remove it.', nameInMessage(session.label)),
      );
    }
  }

  /** @throws UserError if an argument is invalid, or if the session has been removed. */
  #given(...checks: readonly ArgumentCheck[]): Session {
    const session = this.#listed();
    for (const check of checks) {
      const problem = check(vscode.l10n);
      if (problem !== undefined) {
        throw new UserError(vscode.l10n.t('Session "{0}": {1}', nameInMessage(session.label), problem));
      }
    }
    return session;
  }

  /**
   * Rethrows a failure as a {@link UserError} in the user's language that calls the session by the name the user knows.
   */
  async #withReadableErrors<T>(work: () => Promise<T>): Promise<T> {
    return withReadableErrors(work, (error) => sessionErrorText(error, this.#session.label, vscode.l10n));
  }

  /** @throws UserError once the session has been removed. */
  #listed(): Session {
    if (this.#services.list.get(this.id) !== this.#session) {
      throw new UserError(
        vscode.l10n.t(
          'The session "{0}" has been removed from the list.',
          nameInMessage(this.#session.label),
        ),
      );
    }
    return this.#session;
  }
}

function toVscodeEvent(
  event: Event<Session>,
  handleOf: (session: Session) => ExecSession,
): vscode.Event<ExecSession> {
  return (listener, thisArgument?: unknown, disposables?: vscode.Disposable[]) => {
    const subscription: Disposable = event((session) => {
      listener.call(thisArgument, handleOf(session));
    });
    const disposable = new vscode.Disposable(() => subscription.dispose());
    disposables?.push(disposable);
    return disposable;
  };
}

/** Rethrows a failure as a {@link UserError} in the user's language, which the core does not know. */
async function withReadableErrors<T>(work: () => Promise<T>, inWords = errorText): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UserError(inWords(error), { cause: error });
  }
}

function signalOf(token: vscode.CancellationToken | undefined): AbortSignal | undefined {
  if (token === undefined) {
    return undefined;
  }
  const controller = new AbortController();
  if (token.isCancellationRequested) {
    controller.abort();
  } else {
    token.onCancellationRequested(() => controller.abort());
  }
  return controller.signal;
}
