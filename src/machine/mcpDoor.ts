import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';

import { type HostVariables, isRecord, maskSecrets, oneLine, quoteCommandLine } from '../core/index.js';
import { homeFolder } from '../local/index.js';
import { type Door, type DoorPlace, stateIn } from './door.js';
import { StartError, systemReason } from './startError.js';

const NAME = 'exec-sessions';
const OF_USER = ['-s', 'user', NAME];
/** The time that a client may take to change its configuration, in milliseconds. */
const CLIENT_LIMIT_MS = 60_000;

/** A client of MCP: its file, and the arguments of its `mcp add` and `mcp remove`, where it has these. */
interface Client {
  readonly file: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export function codexHome(env: HostVariables): string {
  return env['CODEX_HOME'] ?? path.join(homeFolder(env) ?? '/', '.codex');
}

function clientOf(agent: string, env: HostVariables): Client {
  const home = homeFolder(env) ?? '/';
  const [named, remove] = [{ add: [NAME, '--'], remove: [NAME] }, OF_USER];
  switch (agent) {
    case 'claude':
      return {
        file: path.join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'),
        add: [...OF_USER, '--'],
        remove,
      };
    case 'codex':
      return { ...named, file: path.join(codexHome(env), 'config.toml') };
    case 'copilot':
      return {
        ...named,
        file: path.join(env['COPILOT_HOME'] ?? path.join(home, '.copilot'), 'mcp-config.json'),
      };
    case 'opencode': {
      const file = path.join(home, '.config', 'opencode', 'opencode.json');
      return { file: existsSync(file) ? file : `${file}c`, add: named.add };
    }
    case 'cursor-agent':
      return { file: path.join(home, '.cursor', 'mcp.json') };
    default:
      return { file: path.join(home, `.${agent}`, 'settings.json'), add: OF_USER, remove };
  }
}

/** The door by which an agent gets our tools. The agent's own program opens and closes it where it can. */
export function mcpDoor(agent: string, { env, program }: DoorPlace): Door {
  const { file, add, remove } = clientOf(agent, env);
  const [command, ...args] = [...program, 'mcp'] as const;
  const opens = [agent, 'mcp', 'add', ...(add ?? []), command, ...args] as const;
  const closes = [agent, 'mcp', 'remove', ...(remove ?? [])] as const;
  return {
    what: 'tools',
    state: stateIn(file, (text) => {
      const found = file.endsWith('.toml') ? inToml(text) : inJson(text);
      const isOurs = isDeepStrictEqual(found, [command, ...args]);
      return isOurs ? 'open' : found === undefined ? 'closed' : { why: `${file} has another ${NAME}` };
    }),
    opening:
      add === undefined
        ? [`add to ${file}:`, `  ${JSON.stringify({ mcpServers: { [NAME]: { command, args } } })}`]
        : [`run ${quoteCommandLine(opens)}`],
    closing: [remove === undefined ? `remove ${NAME} from ${file}` : `run ${quoteCommandLine(closes)}`],
    // On Windows clients are batch files, which Node starts only through a shell.
    change:
      remove === undefined || process.platform === 'win32'
        ? undefined
        : { open: () => run(opens, env), close: () => run(closes, env) },
    args: ['mcp'],
  };
}

/** The command of our server in a file of JSON. */
function inJson(text: string): unknown {
  const config: unknown = text.trim() === '' ? {} : JSON.parse(text);
  const { mcpServers, mcp = mcpServers } = isRecord(config) ? config : {};
  const entry = isRecord(mcp) ? mcp[NAME] : undefined;
  return isRecord(entry) ? [entry['command'], entry['args'] ?? []].flat() : entry;
}

/** The same in a file of TOML, as Codex writes it. */
function inToml(text: string): unknown {
  const [, ...found] =
    /^\[mcp_servers\.exec-sessions\]\ncommand = (".*")\nargs = (\[.*\])$/m.exec(text) ?? [];
  const isThere = /^\[mcp_servers\."?exec-sessions"?\]/m.test(text);
  return isThere ? found.flatMap((value): unknown => JSON.parse(value)) : undefined;
}

/** @throws StartError with what the client has said. */
async function run([file, ...args]: readonly [string, ...string[]], env: HostVariables): Promise<void> {
  try {
    await promisify(execFile)(file, args, { env: { ...env }, timeout: CLIENT_LIMIT_MS });
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    const reason = oneLine(maskSecrets(stderr.trim() || systemReason(error)), 400);
    throw new StartError(`${file} has not done it: ${reason}`, { cause: error });
  }
}
