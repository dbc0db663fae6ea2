import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import type { HostVariables } from '../core/index.js';
import { AUTH_MODES, type AuthFlags, DEFAULT_CLOCK_SKEW_SECONDS } from './listen/authFlags.js';
import { parseListenUrl, type ListenAddress } from './listen/listenUrl.js';
import { DEFAULT_DETACHED_SECONDS, DEFAULT_RETENTION_SECONDS } from './limits.js';
import { addMcpCommand, type McpCommand } from './mcp/mcpCommandLine.js';
import { DEFAULT_QUOTAS, QUOTA_OPTIONS, type Quotas } from './quotas.js';
import { StartError } from './listen/startError.js';

export interface ServeCommand {
  readonly kind: 'serve';
  readonly address: ListenAddress;
  readonly auth: AuthFlags;
  readonly allowNonLoopback: boolean;
  /** Whether every user of this machine may connect to a loopback address. */
  readonly openToAll: boolean;
  readonly retentionSeconds: number;
  readonly detachedSessionSeconds: number;
  readonly quotas: Quotas;
  /** The server never exits by itself if this is not given. */
  readonly exitWhenIdleSeconds: number | undefined;
}

interface BridgeCommand {
  readonly kind: 'bridge';
  /** Whether to join the session server of the account. */
  readonly sessions: boolean;
  /** By default the socket of {@link defaultFolder}. */
  readonly socket: string | undefined;
}

/** Runs the session server of this user on this machine, for windows and agents. */
export interface SessionsCommand {
  readonly kind: 'sessions';
  readonly socket: string;
}

/** Removes everything of ours from the account. */
interface UninstallCommand {
  readonly kind: 'uninstall';
  /** Even if sessions run, which end with it. */
  readonly force: boolean;
}

/** All output has been written; the program only has to exit. */
interface NothingToDo {
  readonly kind: 'exit';
  readonly code: number;
}

export type AnyCommand =
  ServeCommand | BridgeCommand | SessionsCommand | UninstallCommand | McpCommand | NothingToDo;

/** The output of the command line: help texts and errors of usage. */
export interface Output {
  out(text: string): void;
  error(text: string): void;
}

/** The exit code for errors of usage, as in most programs: 1 is for later errors. */
const USAGE_ERROR = 2;

interface ServeFlags extends AuthFlags, QuotaFlags {
  readonly listen: string;
  readonly allowNonLoopback?: boolean;
  /** False with `--no-auth`. */
  readonly auth: boolean;
  readonly retentionSeconds: number;
  readonly detachedSessionSeconds: number;
  readonly exitWhenIdleSeconds?: number;
}

interface QuotaFlags {
  readonly maxProcesses: number;
  readonly maxRequests: number;
  readonly maxHttpRequests: number;
  readonly maxOpenFiles: number;
}

/**
 * Reads the command line. `--help` and usage errors are written to `output`.
 *
 * @param args Without the names of Node and of this program.
 * @param env The variables that `--token-env` names.
 * @throws StartError if the options do not fit together, or the address is wrong.
 */
export function parseCommandLine(args: readonly string[], output: Output, env: HostVariables): AnyCommand {
  let other: Exclude<AnyCommand, ServeCommand | NothingToDo> | undefined;
  const program = serveProgram(output);
  program
    .command('bridge')
    .description(
      "Join stdin and stdout to this machine's own server on a private socket. The server is started if needed, and stays",
    )
    .requiredOption('--stdio', 'Speak on stdin and stdout')
    .option('--socket <PATH>', 'The private socket (a place that belongs to the user)')
    .addOption(
      new Option('--sessions', 'Join the server that has the sessions of windows here').conflicts('socket'),
    )
    .action(({ socket, sessions = false }: { readonly socket?: string; readonly sessions?: boolean }) => {
      other = { kind: 'bridge', socket, sessions };
    });
  // Windows and agents start it; people have no need to.
  program
    .command('sessions', { hidden: true })
    .description('Run the sessions of this user on this machine, until they are not needed')
    .requiredOption('--socket <PATH>', 'The private socket')
    .action(({ socket }: { readonly socket: string }) => {
      other = { kind: 'sessions', socket };
    });
  program
    .command('uninstall', { hidden: true })
    .description('Remove everything of ours from this account')
    .option('--force', 'Even if sessions run, which end with it')
    .action(({ force = false }: { readonly force?: boolean }) => {
      other = { kind: 'uninstall', force };
    });
  addMcpCommand(program, env, (command) => (other = command));
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      return { kind: 'exit', code: error.exitCode === 0 ? 0 : USAGE_ERROR };
    }
    throw error;
  }
  return other ?? serveCommand(program.opts<ServeFlags>());
}

function serveProgram(output: Output): Command {
  const program = new Command('exec-server')
    .description('Runs processes for clients that speak the exec-server protocol')
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.error(text) })
    .option('--listen <URL>', '`ws://IP:PORT`, `stdio` or `unix:PATH`', 'ws://127.0.0.1:0')
    .option('--allow-non-loopback', 'Let everybody in who reaches the address, without --ws-auth')
    .option(
      '--no-auth',
      'Let every user of this machine in who reaches a loopback address, without --ws-auth',
    )
    .addOption(new Option('--ws-auth <MODE>', 'How WebSocket clients prove who they are').choices(AUTH_MODES))
    .option('--ws-token-file <PATH>', 'File with the capability token')
    .option('--ws-token-sha256 <HEX>', 'SHA-256 digest of the capability token')
    .option('--ws-shared-secret-file <PATH>', 'File with the secret that signs bearer tokens (HS256)')
    .option('--ws-issuer <ISSUER>', 'Issuer that signed bearer tokens must name')
    .option('--ws-audience <AUDIENCE>', 'Audience that signed bearer tokens must name')
    .option(
      '--ws-max-clock-skew-seconds <SECONDS>',
      `How far clocks may be apart (default: ${DEFAULT_CLOCK_SKEW_SECONDS})`,
      wholeNumber(0),
    )
    .option(
      '--detached-session-seconds <SECONDS>',
      'How long processes go on after their connection is lost',
      wholeNumber(0),
      DEFAULT_DETACHED_SECONDS,
    )
    .option(
      '--retention-seconds <SECONDS>',
      'How long an ended process can still be read',
      wholeNumber(0),
      DEFAULT_RETENTION_SECONDS,
    )
    .option(
      '--exit-when-idle-seconds <SECONDS>',
      'Exit after this time without a connection, a resumable session or a process (default: never)',
      wholeNumber(0),
    )
    .addOption(
      // Requests of one connection never wait for each other in this server.
      new Option('--concurrent-requests <COUNT>', 'Accepted for compatibility, without effect').argParser(
        wholeNumber(1),
      ),
    )
    .allowExcessArguments(false)
    .action(() => undefined);
  for (const quota of ['processes', 'requests', 'httpRequests', 'openFiles'] as const) {
    const flags = `${QUOTA_OPTIONS[quota]} <COUNT>`;
    program.option(flags, QUOTA_WORDS[quota], wholeNumber(1), DEFAULT_QUOTAS[quota]);
  }
  return program;
}

const QUOTA_WORDS: Readonly<Record<keyof Quotas, string>> = {
  processes: 'How many processes of one client may run at a time; more are refused',
  requests: 'How many requests of one client may wait for an answer; further ones are read later',
  httpRequests: 'How many HTTP requests of one client may be under way; more are refused',
  openFiles: 'How many files one client may have open; more are refused',
};

function serveCommand(flags: ServeFlags): ServeCommand {
  const {
    listen,
    allowNonLoopback,
    auth: isClosed,
    retentionSeconds,
    detachedSessionSeconds,
    exitWhenIdleSeconds,
    maxProcesses,
    maxRequests,
    maxHttpRequests,
    maxOpenFiles,
    ...auth
  } = flags;
  const address = parseListenUrl(listen);
  if (address.kind !== 'websocket' && (auth.wsAuth !== undefined || !isClosed)) {
    const name = address.kind === 'stdio' ? 'stdio' : 'a Unix socket';
    throw new StartError(`WebSocket auth requires a WebSocket listener, not ${name}`);
  }
  if (auth.wsAuth !== undefined && !isClosed) {
    throw new StartError('`--ws-auth` and `--no-auth` are mutually exclusive');
  }
  return {
    kind: 'serve',
    address,
    auth,
    allowNonLoopback: allowNonLoopback ?? false,
    openToAll: !isClosed,
    retentionSeconds,
    detachedSessionSeconds,
    quotas: {
      processes: maxProcesses,
      requests: maxRequests,
      httpRequests: maxHttpRequests,
      openFiles: maxOpenFiles,
    },
    exitWhenIdleSeconds,
  };
}

/** The largest number of seconds: longer than anybody waits, and short enough for a timer in milliseconds. */
const LARGEST_NUMBER = 2_000_000;

function wholeNumber(smallest: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < smallest || number > LARGEST_NUMBER) {
      throw new InvalidArgumentError(`It must be a whole number from ${smallest} to ${LARGEST_NUMBER}.`);
    }
    return number;
  };
}
