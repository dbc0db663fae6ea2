import {
  commandLineOf,
  CTRL_D,
  directoryThere,
  type ExecBackend,
  type ExecProcess,
  type HostVariables,
  launchRequest,
  never,
  startParams,
  type StartParams,
  type VariableChanges,
} from '../core/index.js';

import type { AgentEnvironment, AgentHost, AgentStart, HostedProcess } from './host.js';

/** A backend as a place where agents run commands. */
export interface BackendEnvironment extends AgentEnvironment {
  readonly backend: ExecBackend;
  /** The directory of commands that name none; the backend's own by default. A path of that machine. */
  readonly cwd?: string | undefined;
  /** The path or name of the shell for command lines; the backend's own by default. */
  readonly shell?: string | undefined;
  /** Variables that win over all others; null removes one. */
  readonly env?: VariableChanges | undefined;
  /** The variables of this program, if the backend is on its machine. */
  readonly hostEnv?: HostVariables | undefined;
  /** Whether others have the backend as well, and its processes are to go on without this program. */
  readonly shared?: boolean | undefined;
}

/**
 * Lets agents run commands over backends alone, where nobody looks on: the controller is always the agent, and no
 * person can be called.
 *
 * @throws Error if there is no environment, or if two have the same id.
 */
export function backendHost(options: { readonly environments: readonly BackendEnvironment[] }): AgentHost {
  const { environments } = options;
  const [first] = environments;
  if (first === undefined) {
    throw new Error('Agents need an environment to run commands in.');
  }
  if (new Set(environments.map(({ id }) => id)).size < environments.length) {
    throw new Error('Each environment needs an id of its own.');
  }
  return {
    environments: environments.map(({ id, label, backend }) => ({
      id,
      label,
      ...(!backend.capabilities.terminals && { terminals: false }),
    })),
    start: async (start) => {
      const wanted = start.environment ?? first.id;
      const environment = environments.find(({ id }) => id === wanted);
      if (environment === undefined) {
        const ids = environments.map(({ id }) => id).join(', ');
        throw new Error(`There is no environment "${wanted}". There are: ${ids}.`);
      }
      return startIn(environment, start);
    },
  };
}

/** @throws Error if the directory is in a home directory that is not known; the errors of the backend's `start`. */
async function startIn(environment: BackendEnvironment, start: AgentStart): Promise<HostedProcess> {
  const { id, label, backend, hostEnv, shell, shared = false } = environment;
  const { agent, title, tty } = start;
  const { host } = backend;
  const cwd = directoryThere([start.cwd, environment.cwd], host);
  if (cwd === undefined) {
    throw new Error(`The home directory on "${label}" is not known. Name the directory by its whole path.`);
  }
  const request = launchRequest(
    { ...start, cwd, env: { ...environment.env, ...start.env }, origin: { kind: 'agent', name: agent } },
    { host, hostEnv, shell: shell === undefined ? undefined : { shell, arguments: [] } },
  );
  // The id is no counter, because a server may have processes of earlier runs, and of other programs.
  const params = startParams(crypto.randomUUID(), request);
  const process = await backend.start(shared ? sharedStart(params, environment.cwd) : params);
  return {
    process,
    backend,
    environment: { id, label },
    commandLine: commandLineOf(request),
    cwd,
    title,
    controller: 'agent',
    onDidChangeController: never,
    onDidRemove: never,
    onPersonStops: never,
    onPersonTypes: never,
    stop: (stopOptions) => process.stop(stopOptions),
    survivors: () => process.survivors(),
    endSurvivor: (survivor, stopOptions) => process.endSurvivor(survivor, stopOptions),
    closeInput: () => closeInput(process, backend, tty),
    release: () => process.release(),
  };
}

/** The server keeps it, and others show it under one id, with the folder that this program works in. */
function sharedStart(params: StartParams, folder: string | undefined): StartParams {
  const metadata = {
    ...params.metadata,
    sessionId: params.processId,
    ...(folder !== undefined && { folder }),
  };
  return { ...params, owned: true, metadata };
}

async function closeInput(process: ExecProcess, backend: ExecBackend, tty: boolean): Promise<void> {
  if (tty && !backend.capabilities.closeStdin) {
    await process.write(CTRL_D);
  } else {
    await process.closeStdin();
  }
}
