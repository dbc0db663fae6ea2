import os from 'node:os';

import { childVariables, type LogLimits, sessionVariables } from '../../core/index.js';
import type { LocalBackend } from '../../local/index.js';
import type { SessionMemory } from '../../remote/index.js';
import type { EnvironmentDefinition } from '../../sessions/list/index.js';
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
}

/** Connects to an exec-server. */
export type ConnectEnvironment = (options: ConnectOptions) => Promise<RemoteConnection>;

const CLIENT_NAME = 'exec-sessions';

/**
 * Connects to an exec-server. The client is loaded with the first connection, since most people work on this machine.
 */
export const connectRemote: ConnectEnvironment = async (options) => {
  const { definition, token, limits, memory, log, signal, startHelper } = options;
  const { RemoteBackend, commandConnector, webSocketConnector } = await import('../../remote/index.js');
  const connector =
    definition.kind === 'websocket'
      ? webSocketConnector({ url: definition.url, ...(token !== undefined && { token }) })
      : commandConnector({
          argv: definition.argv,
          finalExitCodes: definition.finalExitCodes,
          cwd: os.homedir(),
          env: usersVariables(),
          start: startHelper,
        });
  const backend = await RemoteBackend.connect(
    { connector, clientName: CLIENT_NAME, limits, memory, log },
    signal,
  );
  return { backend, disconnect: () => backend.disconnect() };
};

/**
 * The user's variables, as a session on this machine gets them. The variables that VS Code sets for itself would change
 * what a program does.
 */
function usersVariables(): Readonly<Record<string, string>> {
  const windows = process.platform === 'win32';
  const { env, envPolicy } = sessionVariables({
    hostEnv: process.env,
    windows,
    tty: false,
    forAgent: false,
  });
  return childVariables({ host: process.env, policy: envPolicy, overlay: env, windows });
}
