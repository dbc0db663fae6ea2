import { LOCAL_ID } from '../../sessions/list/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import { isAbsoluteThere } from '../../core/index.js';
import { workingDirectory } from '../workspaceFolders.js';
import type { LazyAgentTools } from './lazyAgentTools.js';

/** The places where commands of agents run, and what sessions are called, as far as that is known before a call. */
export class CallPlace {
  readonly #environments: Environments;
  readonly #tools: Pick<LazyAgentTools, 'sessionName'>;

  constructor(environments: Environments, tools: Pick<LazyAgentTools, 'sessionName'>) {
    this.#environments = environments;
    this.#tools = tools;
  }

  /** What a directory of another machine is relative to is said as far as the settings do. */
  of(
    environment = LOCAL_ID,
    directory?: string,
  ): { readonly label: string; readonly directory: string | undefined } {
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

  /** What a session of an agent is called. */
  sessionName(session: number): string | undefined {
    return this.#tools.sessionName(session);
  }
}
