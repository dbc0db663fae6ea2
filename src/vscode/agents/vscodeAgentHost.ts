import type {
  AgentEnvironment,
  AgentHost,
  AgentStart,
  Attention,
  FoundSession,
  HostedProcess,
} from '../../agent/index.js';
import { nothingToDispose } from '../../core/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import type { SessionList, WindowFolders } from '../../sessions/list/index.js';
import type { SessionStarter } from '../sessionStarter.js';
import type { Stopper } from '../stopper.js';
import { HostedSession } from './hostedSession.js';
import type { PersonCalls } from './personCalls.js';

/** Starts the processes of agents as sessions of the list, so that people see them. */
export class VscodeAgentHost implements AgentHost {
  readonly #list: SessionList;
  readonly #environments: Environments;
  readonly #starter: Pick<SessionStarter, 'start'>;
  readonly #stopper: Pick<Stopper, 'stop'>;
  readonly #calls: Pick<PersonCalls, 'call'>;
  readonly #folders: Pick<WindowFolders, 'first'>;
  readonly #inWords: (error: unknown) => Error;
  readonly #catchUp: () => Promise<void>;

  constructor(options: {
    list: SessionList;
    environments: Environments;
    starter: Pick<SessionStarter, 'start'>;
    stopper: Pick<Stopper, 'stop'>;
    calls: Pick<PersonCalls, 'call'>;
    folders: Pick<WindowFolders, 'first'>;
    /** An error in words that a model can be told. */
    inWords: (error: unknown) => Error;
    /** Resolves once the list has the sessions that other programs have started on this machine. */
    catchUp: () => Promise<void>;
  }) {
    this.#list = options.list;
    this.#environments = options.environments;
    this.#starter = options.starter;
    this.#stopper = options.stopper;
    this.#calls = options.calls;
    this.#folders = options.folders;
    this.#inWords = options.inWords;
    this.#catchUp = options.catchUp;
  }

  get folder(): string | undefined {
    return this.#folders.first;
  }

  get environments(): readonly AgentEnvironment[] {
    return this.#environments.all.map(({ id, label }) => {
      const terminals = this.#environments.open(id)?.backend.capabilities.terminals;
      return { id, label, ...(terminals === false && { terminals }) };
    });
  }

  async start({ agent, ...start }: AgentStart, signal?: AbortSignal): Promise<HostedProcess> {
    try {
      const session = await this.#starter.start(
        // No terminal opens by itself: an agent may start many.
        { ...start, env: start.env ?? {}, show: false, inFolderEnvironment: true },
        { kind: 'agent', name: agent },
        signal,
      );
      return new HostedSession(session, this.#list, this.#stopper);
    } catch (error) {
      throw this.#inWords(error);
    }
  }

  /** Sessions of the list that an agent has started elsewhere, or before this window was reloaded. */
  async find(): Promise<readonly FoundSession[]> {
    await this.#catchUp();
    return this.#list.sessions
      .filter(({ adopted, state }) => adopted && state !== 'starting' && state !== 'lost')
      .map((session) => {
        const take = () => Promise.resolve(new HostedSession(session, this.#list, this.#stopper));
        const { id, label, backend } = session.environment;
        return {
          info: session.process.info(),
          backend,
          environment: { id, label },
          commandLine: session.commandLine,
          cwd: session.request.cwd,
          ...(session.title !== undefined && { title: session.title }),
          controller: session.control?.controller ?? 'agent',
          survivors: () => session.lookForSurvivors(),
          take,
        };
      });
  }

  callPerson(hosted: HostedProcess, why: Attention): { dispose(): void } {
    const session = this.#list.sessionOf(hosted.backend, hosted.process.processId);
    // No person is called for a session that has left the list.
    return session === undefined ? nothingToDispose : this.#calls.call(session, why);
  }
}
