import {
  checkNul,
  childVariables,
  DEFAULT_TERMINAL_SIZE,
  type EnvPolicy,
  ExecError,
  type HostVariables,
  type LossReason,
  MARK_VARIABLE,
  type StartParams,
  type TerminalSize,
} from '../../core/index.js';
import { type ParamsOf, WireClosedError, WireError } from '../../protocol/index.js';
import type { Calls } from '../session/resumableConnection.js';
import { ASIDE_MS, START_MS } from '../limits.js';
import { wirePath } from '../session/hostInfo.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { askedSandbox } from './sandboxOnWire.js';
import { directoryFromError, type LookAtDirectory, startFailure } from './startFailure.js';
import type { WindowedProcess } from '../session/wireFailures.js';
import type { UnseenStarts } from './shutdown.js';

/**
 * Starts a process, and never repeats that. If the connection ends before the answer, the process may run or not. It is
 * then terminated as soon as there is another connection.
 *
 * @returns its pid, if the server sends it.
 * @throws ExecError
 */
export async function startOnServer(
  params: StartParams,
  process: WindowedProcess,
  server: ServerFacts,
  calls: Calls,
  unseen: UnseenStarts,
): Promise<number | undefined> {
  // NUL is checked here, since not every server says where it found one.
  checkNul(params);
  const request = { isSent: false };
  try {
    const message = () => {
      request.isSent = true;
      return startMessage(params, process, server);
    };
    return (await calls.call('process/start', message, { timeoutMs: START_MS, unlessSilent: true })).pid;
  } catch (error) {
    const reason = request.isSent ? lossBehind(error) : undefined;
    const unanswered = error instanceof ExecError && error.failure.kind === 'noAnswer';
    if (reason !== undefined || unanswered) {
      unseen.end(process);
    }
    if (reason !== undefined) {
      throw new ExecError({ kind: 'startInterrupted', processId: process.processId, reason });
    }
    throw await startFailure(error, params, process, lookAtDirectory(server, calls));
  }
}

/** The loss that has ended a call, even if the connection may return; undefined for all other errors. */
function lossBehind(error: unknown): LossReason | undefined {
  if (error instanceof WireClosedError) {
    return { kind: 'ended', ended: error.reason };
  }
  return error instanceof ExecError && error.failure.kind === 'disconnected'
    ? error.failure.reason
    : undefined;
}

/** The size of a new terminal. Servers other than ours always use the default. */
export function sizeAtStart({ tty, size }: StartParams, server: ServerFacts): TerminalSize | undefined {
  const possible = server.additions.initialSize === true ? size : undefined;
  return tty ? (possible ?? DEFAULT_TERMINAL_SIZE) : undefined;
}

function startMessage(
  params: StartParams,
  process: WindowedProcess,
  server: ServerFacts,
): ParamsOf<'process/start'> {
  const { argv, env, envPolicy, tty, pipeStdin, stderrToStdout, arg0, metadata, inherited, sandbox } = params;
  const { additions } = server;
  const size = sizeAtStart(params, server);
  return {
    processId: process.wireId,
    argv: [...argv],
    cwd: wirePath(params.cwd, server.host),
    env: named(env),
    tty,
    pipeStdin: pipeStdin ?? false,
    arg0: arg0 ?? null,
    ...(envPolicy && {
      envPolicy: {
        ...envPolicy,
        exclude: [...envPolicy.exclude],
        set: { ...envPolicy.set },
        includeOnly: [...envPolicy.includeOnly],
      },
    }),
    ...(additions.initialSize === true && size && { size }),
    // A server that currently has no pipes, and says so, may have some again.
    ...(additions.anonymousPipes !== undefined && stderrToStdout === true && { stderrToStdout }),
    ...(additions.list === true && metadata && { clientMetadata: { ...metadata } }),
    ...(isOwned(params, server) && { owned: true }),
    ...(additions.inherited === true && inherited && { inherited }),
    ...(sandbox && { sandbox: askedSandbox(sandbox, server.host) }),
    ...(additions.flow === true && { windowBytes: process.windowBytes }),
  };
}

/** Whether the server owns a process that is started with these parameters. */
export function isOwned({ owned }: StartParams, { additions }: ServerFacts): boolean {
  return owned === true && additions.ownership === true;
}

/** Drops variables without a name: no look-up would find them, and servers disagree on how to treat them. */
function named(env: StartParams['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== ''));
}

function lookAtDirectory(server: ServerFacts, calls: Calls): LookAtDirectory {
  return async (directory) => {
    const path = wirePath(directory, server.host);
    try {
      const found = await calls.call('fs/getMetadata', { path }, { timeoutMs: ASIDE_MS });
      return found.isDirectory ? 'directory' : 'file';
    } catch (error) {
      return error instanceof WireError ? directoryFromError(error) : undefined;
    }
  };
}

/** The server's variables are not for the process, except the mark: by it the server finds what the process leaves. */
const MARK_ALONE: EnvPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [MARK_VARIABLE],
};

/**
 * Lets a start inherit the variables of this program in place of the server's; another program may have started the
 * server days ago. Without a policy it inherits no variables anyway.
 *
 * @param host The variables of this program, which is on the server's machine.
 * @throws ExecError if the policy has too many patterns.
 */
export function withVariablesOf(host: HostVariables, params: StartParams): StartParams {
  const { envPolicy: policy, env: overlay } = params;
  if (policy === undefined) {
    return params;
  }
  const env = childVariables({ host, policy, overlay, windows: process.platform === 'win32' });
  return { ...params, env, envPolicy: MARK_ALONE };
}
