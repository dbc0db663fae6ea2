import { realpathSync } from 'node:fs';
import path from 'node:path';

import { type BroomFilter, type Forgotten, isMeant } from '../../core/index.js';
import { endTree, findForgotten } from '../../machine/index.js';
import { type Console, type Painted, remark, say } from '../console.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { cleanupJson, type Swept } from '../output/json.js';
import { portsText, sinceText } from '../output/otherLines.js';
import { tableLines } from '../output/table.js';
import { otherProcesses } from '../sessions/otherProcesses.js';

export interface CleanupOptions extends BroomFilter {
  readonly yes?: true;
  readonly json?: true;
}

/** Lists what ended sessions and agents have left running; with `yes`, ends what is meant and not spared. */
export async function cleanup(console: Console, { yes, json, ...choice }: CleanupOptions): Promise<number> {
  if (yes === true && Object.keys(choice).length === 0) {
    throw new CliError('--yes needs a choice: --agent, --older and others. See --help.', ExitCode.usage);
  }
  const found = await find(console);
  const folder =
    choice.folder === undefined ? undefined : realFolder(path.resolve(console.cwd, choice.folder));
  const filter = { ...choice, folder };
  const meant = found.filter((one) => isMeant(one, filter, console.clock.wallTime()));
  if (json !== true && meant.length > 0) {
    print(console, meant);
  }
  const swept = await Promise.all(meant.map((one) => sweep(one, yes === true && one.spared === undefined)));
  if (json === true) {
    say(console, cleanupJson(swept));
  } else if (meant.length === 0) {
    remark(console, 'There are no such processes.');
  } else if (yes === true) {
    say(console, ...swept.map(outcomeOf));
  } else {
    remark(console, 'Nothing was ended. Choose some (--agent, --older and others), and end them with --yes.');
  }
  return yes === true && swept.some(({ outcome }) => outcome === 'left') ? ExitCode.failed : ExitCode.done;
}

/** @throws CliError where that cannot be known. */
async function find(console: Console): Promise<readonly Forgotten[]> {
  if (process.platform !== 'linux') {
    throw new CliError('Forgotten processes can only be found on Linux.');
  }
  try {
    const sightings = await withMachines(console, (machines) => otherProcesses(machines));
    return await findForgotten(sightings, console.env, console.clock.wallTime(), (reason) =>
      remark(console, `Some receipts cannot be read, so some processes may be missing: ${reason}`),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`Forgotten processes cannot be found: ${reason}`);
  }
}

/** Linux tells the directory of a process without symbolic links. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // It was removed, but may have processes.
  }
}

async function sweep(one: Forgotten, isToEnd: boolean): Promise<Swept> {
  const { exited, survivors } = isToEnd ? await endTree(one) : { exited: false, survivors: [] };
  return { ...one, outcome: exited && survivors.length === 0 ? 'ended' : 'left', survivors };
}

function outcomeOf({ command, pid, spared, outcome, survivors }: Swept): string {
  const left = [
    ...(spared === undefined ? [] : [spared]),
    ...survivors.map((one) => `${one.command} (${one.pid})`),
  ];
  return `${command} (${pid}): ${outcome === 'ended' ? 'stopped' : `left, ${left.join(', ')}`}`;
}

const HEAD = ['PID', 'SINCE', 'BY', 'MEMORY', 'PORTS', 'SPARED', 'COMMAND', 'FOLDER'];
const MIB = 1024 * 1024;

function print(console: Console, meant: readonly Forgotten[]): void {
  const now = console.clock.wallTime();
  const rows = meant.map((one): readonly Painted[] => [
    { text: String(one.pid) },
    { text: sinceText(one, now) },
    { text: one.agents.join(' or ') || '-' },
    { text: one.memoryBytes === undefined ? '?' : `${Math.round(one.memoryBytes / MIB)} MiB` },
    { text: portsText(one) },
    { text: one.spared ?? '-' },
    { text: one.command },
    { text: one.cwd ?? '?' },
  ]);
  say(console, ...tableLines(console, HEAD, rows));
}
