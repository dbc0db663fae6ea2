import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';

import { version } from '../../../package.json';
import { AGENT_PROGRAMS, agentName, messageOf, WRAPPER_VARIABLE } from '../../core/index.js';
import { type Door, type DoorPlace, doorsOf, findProgram } from '../../machine/index.js';
import { type Console, remark, say } from '../console.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { tableLines } from '../output/table.js';
import { ask } from '../question.js';

/** The time that our own program may take to answer, in milliseconds. It may have to start the session server. */
const ANSWER_LIMIT_MS = 30_000;

const NAMES = { tools: 'our tools (MCP)', commands: 'its own commands' } as const;

/** Lists the doors of all agents. */
export function listDoors(console: Console): number {
  const rows = AGENT_PROGRAMS.map(({ id, name }) =>
    [id, name, ...doorsOf(id, placeOf(console)).map(stateText), '-'].slice(0, 4).map((text) => ({ text })),
  );
  say(console, ...tableLines(console, ['NAME', 'AGENT', 'MCP TOOLS', 'ITS OWN COMMANDS'], rows));
  return ExitCode.done;
}

/**
 * Opens or closes the doors of an agent: shows the changes, asks, makes them, and checks that they work.
 *
 * @throws CliError
 */
export async function connect(console: Console, agent: string, undo: boolean, yes: boolean): Promise<number> {
  const place = placeOf(console);
  const doors = doorsOf(agent, place);
  const wanted = undo ? 'closed' : 'open';
  doors
    .filter(({ state }) => state === wanted || typeof state === 'object')
    .forEach((door) => remark(console, `${nameOf(agent, door)}: ${stateText(door)}. Nothing to do here.`));
  const due = doors.filter(({ state }) => state !== wanted && typeof state !== 'object');
  due.forEach((door) => {
    const lines = undo ? door.closing : door.opening;
    say(
      console,
      `${nameOf(agent, door)}${door.change ? '' : ', by hand'}:`,
      ...lines.map((line) => `  ${line}`),
    );
  });
  const changes = due.flatMap(({ change }) => change ?? []);
  if (changes.length > 0) {
    if ((await findProgram({ program: agent, cwd: console.cwd, env: console.env })) === undefined) {
      throw new CliError(`${agentName(agent)} is not installed: there is no ${agent} on the PATH.`);
    }
    if (!yes && !(await ask(console, 'Do this?'))) {
      throw new CliError('Nothing was changed. With --yes it is done without a question.');
    }
    try {
      for (const change of changes) {
        await (undo ? change.close() : change.open());
      }
      const now = doorsOf(agent, place).filter(({ what }) => due.some((door) => door.what === what));
      for (const door of now) {
        await check(door, wanted, place);
        say(console, `${nameOf(agent, door)}: ${stateText(door)}.`);
      }
    } catch (error) {
      throw new CliError(messageOf(error));
    }
    say(console, `Start ${agentName(agent)} anew if it runs.`);
  }
  return doors.some(({ state }) => typeof state === 'object') ? ExitCode.failed : ExitCode.done;
}

function nameOf(agent: string, { what }: Door): string {
  return `${agentName(agent)}, ${NAMES[what]}`;
}

function stateText({ state }: Door): string {
  return typeof state === 'object' ? `left alone: ${state.why}` : state;
}

/** @throws CliError if a door is not as wanted, or our program does not answer. */
async function check(
  { state, args }: Door,
  wanted: 'open' | 'closed',
  { program, env }: DoorPlace,
): Promise<void> {
  if (state !== wanted) {
    throw new CliError(`It is not ${wanted} after all.`);
  }
  if (wanted === 'open' && args !== undefined) {
    const [file, ...before] = program;
    const work = promisify(execFile)(file, [...before, ...args], {
      env: { ...env },
      timeout: ANSWER_LIMIT_MS,
    });
    const { stdin, stdout } = work.child;
    // Each of the two protocols reads its own part.
    const clientInfo = { name: 'exec-sessions', version };
    const params = {
      clientName: clientInfo.name,
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    };
    stdin?.on('error', () => undefined);
    stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    stdout?.once('data', () => stdin?.end());
    if (!(await work).stdout.includes('"result"')) {
      throw new CliError(`${file} does not answer.`);
    }
  }
}

/** The command of this program that stays where it is when it is updated, and the surroundings of agents. */
function placeOf({ env }: Console): DoorPlace {
  const [, file = ''] = process.argv;
  const wrapper = env[WRAPPER_VARIABLE];
  return {
    env,
    program: wrapper !== undefined ? [wrapper] : isExecutable(file) ? [file] : [process.execPath, file],
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return process.platform !== 'win32';
  } catch {
    return false;
  }
}
