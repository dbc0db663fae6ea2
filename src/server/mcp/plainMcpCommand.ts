import type { McpCommand } from './mcpCommandLine.js';

/**
 * Reads the command lines with which most agents start this program: `mcp`, perhaps with `--alone`, a folder and a
 * name. Loading the reader of all other command lines takes as long as the rest of the start.
 *
 * @returns undefined for all other command lines, and for every mistake.
 */
export function plainMcpCommand(args: readonly string[]): McpCommand | undefined {
  const [name, ...rest] = args;
  const given = new Map<string, string>();
  // It stands in front of the others, where it cannot be the value of another option.
  const alone = rest.at(0) === ALONE;
  const options = alone ? rest.slice(1) : rest;
  for (let at = 0; at < options.length; at += 2) {
    const [option = '', value] = options.slice(at, at + 2);
    if (!OPTIONS.has(option) || given.has(option) || value === undefined || value.startsWith('-')) {
      return undefined;
    }
    given.set(option, value);
  }
  return name === 'mcp'
    ? {
        kind: 'mcp',
        place: { kind: 'local', alone },
        cwd: given.get(CWD),
        environmentName: given.get(NAME),
        compatible: false,
      }
    : undefined;
}

const ALONE = '--alone';
const CWD = '--cwd';
const NAME = '--environment-name';
const OPTIONS: ReadonlySet<string> = new Set([CWD, NAME]);
