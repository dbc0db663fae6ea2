import {
  commandLineOf,
  directoryThere,
  type ExecBackend,
  type HostVariables,
  launchRequest,
  metadataIn,
  startParams,
  type StartParams,
  type VariableChanges,
} from '../core/index.js';

import { belongingIn } from './session/belonging.js';
import type { AgentEnvironment, AgentHost, AgentStart, FoundSession, HostedProcess } from './host.js';
import { SharedProcess } from './sharedProcess.js';

/** A backend as a place where agents run commands. */
interface BackendEnvironment extends AgentEnvironment {
  readonly backend: ExecBackend;
  /** The directory for commands that name none; the backend's own by default. It is a path on that machine. */
  readonly cwd?: string | undefined;
  /** The path or name of the shell for command lines; the backend's own by default. */
  readonly shell?: string | undefined;
  /** Variables that win over all others; null removes one. */
  readonly env?: VariableChanges | undefined;
  /** The variables of this program, if the backend is on its machine. */
  readonly hostEnv?: HostVariables | undefined;
  /** Whether other programs use the backend as well. Its processes then run on without this program. */
  readonly shared?: boolean | undefined;
}

/**
 * Lets agents run commands over backends alone. No person can be called. People who watch do so through another client
 * of a shared backend.
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
    folder: first.cwd,
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
    find: async () => (await Promise.all(environments.filter(({ shared }) => shared).map(foundIn))).flat(),
  };
}

/** @throws Error if the directory is in a home directory that is not known; the errors of the backend's `start`. */
async function startIn(environment: BackendEnvironment, start: AgentStart): Promise<HostedProcess> {
  const { id, label, backend, hostEnv, shell, shared = false } = environment;
  const { agent, title } = start;
  const { host } = backend;
  const cwd = directoryThere([start.cwd, environment.cwd], host);
  if (cwd === undefined) {
    throw new Error(`The home directory on "${label}" is not known. Name the directory by its whole path.`);
  }
  const request = launchRequest(
    { ...start, cwd, env: { ...environment.env, ...start.env }, origin: { kind: 'agent', name: agent } },
    { host, hostEnv, shell: shell === undefined ? undefined : { shell, arguments: [] } },
  );
  await start.before?.(request, backend);
  // The id is not a counter, because a server may have processes of earlier runs and of other programs.
  const params = startParams(crypto.randomUUID(), request);
  const process = await backend.start(shared ? sharedStart(params, environment.cwd) : params);
  const commandLine = commandLineOf(request);
  return new SharedProcess({ process, backend, environment: { id, label }, commandLine, cwd, title });
}

/** The sessions of agents that a backend knows and that this program has not started. */
async function foundIn({ id, label, backend }: BackendEnvironment): Promise<readonly FoundSession[]> {
  const there = await backend.list().catch(() => []);
  return there
    .filter((info) => belongingIn(info.metadata) !== undefined)
    .map((info) => {
      const { argv, cwd, metadata, processId } = info;
      const title = metadataIn(metadata, 'title');
      const facts = {
        backend,
        environment: { id, label },
        commandLine: metadataIn(metadata, 'commandLine') ?? commandLineOf({ argv }),
        cwd,
        ...(title !== undefined && { title }),
      };
      return {
        ...facts,
        info,
        controller: metadataIn(metadata, 'controller'),
        survivors: async () => {
          const process = await backend.attach(processId);
          return process.survivors().finally(() => process.release());
        },
        take: async () => new SharedProcess({ ...facts, process: await backend.attach(processId) }),
      };
    });
}

/** The server keeps it. Others show it under one id, with the working directory of this program. */
function sharedStart(params: StartParams, folder: string | undefined): StartParams {
  const metadata = {
    ...params.metadata,
    sessionId: params.processId,
    ...(folder !== undefined && { folder }),
  };
  return { ...params, owned: true, metadata };
}
