import type { AgentEnvironment, AgentHost, AgentStart, Attention, HostedProcess } from '../../agent/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import type { SessionList } from '../../sessions/list/index.js';
import type { CheckedStart } from '../../sessions/options/index.js';
import type { SessionStarter } from '../sessionStarter.js';
import type { Stopper } from '../stopper.js';
import { errorText, UserError } from '../userError.js';
import { agentVariables } from './agentVariables.js';
import { HostedSession } from './hostedSession.js';
import type { PersonCalls } from './personCalls.js';

/** The call for a session that has left the list: nobody is called. */
const NOTHING = { dispose: () => undefined };

/** Starts the processes of agents as sessions of the list, so that people see them. */
export class VscodeAgentHost implements AgentHost {
  readonly #list: SessionList;
  readonly #environments: Environments;
  readonly #starter: Pick<SessionStarter, 'start'>;
  readonly #stopper: Stopper;
  readonly #calls: PersonCalls;

  constructor(options: {
    list: SessionList;
    environments: Environments;
    starter: Pick<SessionStarter, 'start'>;
    stopper: Stopper;
    calls: PersonCalls;
  }) {
    this.#list = options.list;
    this.#environments = options.environments;
    this.#starter = options.starter;
    this.#stopper = options.stopper;
    this.#calls = options.calls;
  }

  get environments(): readonly AgentEnvironment[] {
    return this.#environments.all.map(({ id, label }) => ({ id, label }));
  }

  /** @throws UserError with a message that can be given to a model. */
  async start(start: AgentStart, signal?: AbortSignal): Promise<HostedProcess> {
    try {
      const session = await this.#starter.start(
        checkedStart(start),
        { kind: 'agent', name: start.agent },
        signal,
      );
      return new HostedSession(session, this.#list, this.#stopper);
    } catch (error) {
      throw new UserError(errorText(error), { cause: error });
    }
  }

  callPerson(hosted: HostedProcess, why: Attention): { dispose(): void } {
    const session = this.#list.sessionOf(hosted.backend, hosted.process.processId);
    return session === undefined ? NOTHING : this.#calls.call(session, why);
  }
}

/** The checked start of an agent's session. It opens no terminal, since an agent may start many sessions. */
function checkedStart(start: AgentStart): CheckedStart {
  const { command, tty, pipeStdin, environment, cwd, title } = start;
  return {
    command,
    env: agentVariables(tty),
    tty,
    pipeStdin,
    show: false,
    ...(environment !== undefined && { environment }),
    ...(cwd !== undefined && cwd !== '' && { cwd }),
    ...(title !== undefined && title.trim() !== '' && { title: title.trim() }),
  };
}
