import { LOCAL_ID } from '../../sessions/environments/definition.js';
import type { Environments } from '../../sessions/environments/environments.js';
import { workingDirectory } from '../workspaceFolders.js';
import type { CallPlace } from './describeCall.js';
import type { LazyAgentTools } from './lazyAgentTools.js';

/** Where commands of agents run, as far as that is known before they do. */
export class AgentCallPlace implements CallPlace {
  readonly #environments: Environments;
  readonly #tools: Pick<LazyAgentTools, 'sessionName'>;

  constructor(environments: Environments, tools: Pick<LazyAgentTools, 'sessionName'>) {
    this.#environments = environments;
    this.#tools = tools;
  }

  /** A relative directory of another machine stays as it is: what it is relative to, that machine says. */
  of(environment = LOCAL_ID, directory?: string) {
    const label = this.#environments.get(environment)?.label ?? environment;
    if (environment === LOCAL_ID) {
      return { label, directory: workingDirectory(directory) };
    }
    return { label, directory: directory ?? this.#environments.definitionOf(environment)?.cwd };
  }

  sessionName(session: number): string | undefined {
    return this.#tools.sessionName(session);
  }
}
