import path from 'node:path';

import type { Command } from 'commander';

import type { HostVariables } from '../../core/index.js';
/** The machine on which the commands of agents run, by the way to reach it. */
export type McpPlace =
  /** This machine: its session server, or alone, in this program. */
  | { readonly kind: 'local'; readonly alone: boolean }
  | { readonly kind: 'websocket'; readonly url: string; readonly token: TokenSource | undefined }
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] };

/** A bearer token, or the file that it is in. */
export type TokenSource = { readonly token: string } | { readonly file: string };

export interface McpCommand {
  readonly kind: 'mcp';
  readonly place: McpPlace;
  /** The directory of commands that name none. Without it: the directory of this program, or of the server. */
  readonly cwd: string | undefined;
  /** The name that people use for the place, if it has one. */
  readonly environmentName: string | undefined;
  /** Whether to serve the one tool of the compatible mode, and not the others. */
  readonly compatible: boolean;
}

interface McpFlags {
  readonly connect?: string;
  readonly tokenEnv?: string;
  readonly tokenFile?: string;
  readonly cwd?: string;
  readonly environmentName?: string;
  readonly alone?: boolean;
  readonly compatible?: boolean;
}

const UNIX = 'unix:';

/**
 * Adds `mcp` to the commands of the program.
 *
 * @param env The variables that `--token-env` names.
 * @param found Called with the command, if the command line is one of `mcp`.
 */
export function addMcpCommand(
  program: Command,
  env: HostVariables,
  found: (command: McpCommand) => void,
): void {
  const mcp = program
    .command('mcp')
    .description(
      'Serve tools for agents over MCP on stdin and stdout. Commands run on this machine, on an exec-server, or through a program that speaks for one',
    )
    .usage('[options] [-- PROGRAM ARGS...]')
    .argument('[program...]', 'A program that speaks for an exec-server on its stdin and stdout')
    .option('--connect <URL>', 'An exec-server: `ws://HOST:PORT`, `wss://HOST` or `unix:PATH`')
    .option('--token-env <NAME>', 'Environment variable with the bearer token for --connect')
    .option('--token-file <PATH>', 'File with the bearer token for --connect')
    .option('--cwd <DIR>', 'The default directory of commands: a folder of the machine that they run on')
    .option(
      '--alone',
      'Run commands in this program, and not in the session server of this machine. They end with the program, and no window of VS Code shows them',
    )
    .option('--environment-name <NAME>', 'The name of this place for agents')
    .option('--compatible', 'Serve the one tool `unified_exec` in place of the others')
    .action((argv: readonly string[], flags: McpFlags) => {
      const fail = (message: string): never => mcp.error(`error: ${message}`);
      const place = placeOf(argv, flags, env, fail);
      const { cwd } = flags;
      if (place.kind !== 'local' && cwd !== undefined && !isAbsolute(cwd)) {
        fail(`the folder ${cwd} of --cwd must be an absolute path of the other machine`);
      }
      found({
        kind: 'mcp',
        place,
        cwd,
        environmentName: flags.environmentName,
        compatible: flags.compatible ?? false,
      });
    });
}

/** Whether a path is absolute on a POSIX or a Windows machine. */
function isAbsolute(file: string): boolean {
  return path.posix.isAbsolute(file) || path.win32.isAbsolute(file);
}

function placeOf(
  argv: readonly string[],
  { connect, tokenEnv, tokenFile, alone = false, compatible = false }: McpFlags,
  env: HostVariables,
  fail: (message: string) => never,
): McpPlace {
  if (connect !== undefined && argv.length > 0) {
    fail('--connect and a program exclude each other');
  }
  if (alone && (connect !== undefined || argv.length > 0)) {
    fail('--alone is for commands on this machine, without --connect and a program');
  }
  const [first] = argv;
  const url = connect ?? '';
  if ([url, first ?? ''].some(hasUserInfo)) {
    fail('secrets do not belong into a URL, where everybody on this machine sees them: use --token-env');
  }
  if (first !== undefined && /^(wss?|unix):/.test(first)) {
    fail(`${first} is not a program: use --connect for an address`);
  }
  const isWebSocket = /^wss?:\/\/./.test(url) && URL.canParse(url);
  if (!isWebSocket && (tokenEnv !== undefined || tokenFile !== undefined)) {
    fail('--token-env and --token-file require --connect with `ws://` or `wss://`');
  }
  if (isWebSocket) {
    return { kind: 'websocket', url, token: tokenOf(tokenEnv, tokenFile, env, fail) };
  }
  if (url.startsWith(UNIX) && url.length > UNIX.length) {
    return { kind: 'socket', path: url.slice(UNIX.length) };
  }
  if (connect !== undefined) {
    fail(
      `unsupported --connect URL \`${connect}\`; expected \`ws://HOST:PORT\`, \`wss://HOST\` or \`unix:PATH\``,
    );
  }
  // As in the reference, sessions of the compatible mode are those of one client, and end with it.
  return argv.length > 0 ? { kind: 'command', argv } : { kind: 'local', alone: alone || compatible };
}

/** Looks at text that is no valid URL as well, since messages must not repeat a secret. */
function hasUserInfo(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i.test(text);
}

function tokenOf(
  name: string | undefined,
  file: string | undefined,
  env: HostVariables,
  fail: (message: string) => never,
): TokenSource | undefined {
  if (name !== undefined && file !== undefined) {
    fail('--token-env and --token-file exclude each other');
  }
  if (name !== undefined) {
    const token = env[name]?.trim() ?? '';
    return token === '' ? fail(`the environment variable ${name} of --token-env is not set`) : { token };
  }
  return file === undefined ? undefined : { file };
}
