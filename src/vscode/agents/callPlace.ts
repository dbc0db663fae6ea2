import { LOCAL_ID } from '../../sessions/list/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import { isAbsoluteThere } from '../../core/index.js';
import { workingDirectory } from '../thisMachine.js';
import type { LazyAgentTools } from './lazyAgentTools.js';

/** The places where commands of agents run, and the names of sessions, as far as they are known before a call. */
export class CallPlace {
  readonly #environments: Environments;
  readonly #tools: Pick<LazyAgentTools, 'sessionName'>;

  constructor(environments: Environments, tools: Pick<LazyAgentTools, 'sessionName'>) {
    this.#environments = environments;
    this.#tools = tools;
  }

  /**
   * The name of an environment, and the directory there. A relative directory of another machine is resolved against
   * the `cwd` of its setting. Without that setting it stays relative.
   */
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

  /** The name of an agent's session, if it is known. */
  sessionName(session: number): string | undefined {
    return this.#tools.sessionName(session);
  }
}
