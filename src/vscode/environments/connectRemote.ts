import os from 'node:os';

import { version } from '../../../package.json';
import { childVariables, type LogLimits, sessionVariables } from '../../core/index.js';
import type { LocalBackend } from '../../local/index.js';
import type { EngineConnectorOptions, Reached, Removed } from '../../engines/index.js';
import type { Connector, SessionMemory } from '../../remote/index.js';
import type { Asker } from './askpass.js';
import type { EnvironmentDefinition, MemberDefinition } from '../../sessions/list/index.js';
import type { RemoteConnection } from '../../sessions/environments/index.js';

/** The parts that a connection is made from. */
export interface ConnectOptions {
  readonly definition: EnvironmentDefinition;
  readonly token: string | undefined;
  readonly limits: LogLimits;
  /** Remembers the sessions that were started there, for the next connection. */
  readonly memory: SessionMemory | undefined;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** Starts a program that reaches a server and passes its messages over pipes, `ssh` for example. */
  readonly startHelper: LocalBackend['startHelper'];
  /** Asks whether Node may be sent to a machine that has none. */
  readonly mayInstallNode: EngineConnectorOptions['mayInstallNode'];
  readonly onStep: EngineConnectorOptions['onStep'];
  /** The way of ssh to a person. */
  readonly asker: Asker | undefined;
}

/** Connects to an exec-server. */
export type ConnectEnvironment = (options: ConnectOptions) => Promise<RemoteConnection>;

const CLIENT_NAME = 'exec-sessions';

/**
 * Connects to an exec-server. The client is loaded with the first connection, since most people work on this machine.
 */
export const connectRemote: ConnectEnvironment = async (options) => {
  const { token, limits, memory, log, signal } = options;
  const { RemoteBackend } = await import('../../remote/index.js');
  const connector = await connectorOf(options, token);
  const backend = await RemoteBackend.connect(
    { connector, clientName: CLIENT_NAME, limits, memory, log },
    signal,
  );
  return { backend, disconnect: () => backend.disconnect() };
};

async function connectorOf(
  { definition, startHelper: start, mayInstallNode, onStep, asker }: ConnectOptions,
  token: string | undefined,
): Promise<Connector> {
  const program = { cwd: os.homedir(), env: { ...usersVariables(), ...asker?.variables }, start };
  switch (definition.kind) {
    case 'websocket': {
      const { webSocketConnector } = await import('../../remote/index.js');
      return webSocketConnector({ url: definition.url, ...(token !== undefined && { token }) });
    }
    case 'command': {
      const { commandConnector } = await import('../../remote/index.js');
      const { argv, finalExitCodes } = definition;
      return commandConnector({ argv, finalExitCodes, ...program });
    }
    case 'shell':
    case 'ssh':
    case 'docker':
    case 'podman':
    case 'kubernetes':
    case 'slurm': {
      const { engineConnector } = await import('../../engines/index.js');
      return engineConnector({
        reached: reachedBy(definition),
        files: __dirname,
        version,
        mayInstallNode,
        onStep,
        isAsking: asker?.isAsking,
        ...program,
      });
    }
  }
}

export type RemoveServer = (
  definition: Parameters<typeof reachedBy>[0],
  force: boolean,
  signal: AbortSignal,
  asker: Asker,
) => Promise<Removed>;

/** Removes everything of ours from the other side of an environment. */
export const removeRemoteServer: RemoveServer = async (definition, force, signal, asker) => {
  const { removeServer } = await import('../../engines/index.js');
  const program = {
    cwd: os.homedir(),
    env: { ...usersVariables(), ...asker.variables },
    isAsking: asker.isAsking,
  };
  const reached = reachedBy(definition);
  return removeServer({ reached, files: __dirname, version, force, signal, ...program });
};

/** The other side of an environment in which the server installs itself. */
export function reachedBy(
  definition: MemberDefinition | { kind: 'shell'; argv: readonly string[] },
): Reached {
  if (definition.kind === 'shell') {
    return { kind: 'shell', argv: definition.argv };
  }
  const { kind: engine, target: name, context } = definition;
  return { kind: 'member', member: { engine, name, context } };
}

/**
 * The user's variables, as a session on this machine gets them. The variables that VS Code sets for itself would change
 * what a program does.
 */
export function usersVariables(): Readonly<Record<string, string>> {
  const windows = process.platform === 'win32';
  const { env, envPolicy } = sessionVariables({
    hostEnv: process.env,
    windows,
    tty: false,
    forAgent: false,
  });
  return childVariables({ host: process.env, policy: envPolicy, overlay: env, windows });
}
