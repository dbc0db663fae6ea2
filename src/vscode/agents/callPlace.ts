import { LOCAL_ID } from '../../sessions/list/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import { isAbsoluteThere } from '../../core/index.js';
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

  /** What a directory of another machine is relative to is said as far as the settings do. */
  of(environment = LOCAL_ID, directory?: string) {
    const label = this.#environments.get(environment)?.label ?? environment;
    if (environment === LOCAL_ID) {
      return { label, directory: workingDirectory(directory) };
    }
    const base = this.#environments.definitionOf(environment)?.cwd;
    if (directory === undefined || base === undefined || isAbsoluteThere(directory)) {
      return { label, directory: directory ?? base };
    }
    return { label, directory: `${base.replace(/[\\/]$/, '')}/${directory}` };
  }

  sessionName(session: number): string | undefined {
    return this.#tools.sessionName(session);
  }
}
