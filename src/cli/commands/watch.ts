import { deferred, delay, type Disposable } from '../../core/index.js';
import type { Machine } from '../../machine/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { type Console, lineText } from '../console.js';
import { type Machines, openMachines } from '../machines.js';
import { listSessions } from '../sessions/cliSession.js';
import { emptyText, listLines, type ListOptions } from '../output/listLines.js';

/** The times in the list are shown to the second. */
const REDRAW_MS = 1_000;
/** Changes come in bursts. */
const SETTLE_MS = 50;

const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
/**
 * Some terminals put the cleared screen into their history if the clearing starts at the top. So this comes after the
 * list.
 */
const CLEAR_BELOW = '\u001b[J';

/** Shows the list and each change of it, until a signal ends this program. */
export async function watch(console: Console, options: ListOptions): Promise<number> {
  if (!console.onTerminal.output && !options.json) {
    throw new CliError('ls --watch needs a terminal, or --json.', ExitCode.usage);
  }
  let open: Machines = { machines: [], incomplete: false };
  let last: string | undefined;
  for (;;) {
    open = await stillThere(console, open);
    const lines = listLines(console, await listSessions(open.machines), options, open.incomplete).map(
      (line) => lineText(console, line),
    );
    const text = lines.join('\n');
    if (text !== last || !options.json) {
      show(console, lines.length === 0 ? [emptyText(options, open.incomplete)] : lines, options);
      last = text;
    }
    await change(console, open.machines);
  }
}

function show({ stdout }: Console, lines: readonly string[], { json }: ListOptions): void {
  if (json) {
    stdout.write(`${lines.join('')}\n`);
  } else {
    const shown = fitting(lines, stdout.rows);
    stdout.write(`${HOME}${shown.map((line) => `${CLEAR_LINE}${line}\n`).join('')}${CLEAR_BELOW}`);
  }
}

/**
 * The lines that a screen has room for, and the number of the others. A longer list would scroll the screen, and leave
 * a copy above it each second.
 *
 * @param rows 0 for a terminal without a size.
 */
function fitting(lines: readonly string[], rows: number): readonly string[] {
  // The cursor stands in a row of its own.
  const most = rows - 1;
  if (rows === 0 || lines.length <= most) {
    return lines;
  }
  const shown = Math.max(0, most - 1);
  return [...lines.slice(0, shown), `… and ${lines.length - shown} more.`];
}

/**
 * Keeps the connections while they hold. A lost connection, or a list without any, means that there may be other
 * servers.
 */
async function stillThere(console: Console, open: Machines): Promise<Machines> {
  const { machines } = open;
  if (machines.length > 0 && machines.every(({ backend }) => backend.connection.kind !== 'lost')) {
    return open;
  }
  machines.forEach((machine) => machine.disconnect());
  return openMachines(console);
}

async function change({ clock }: Console, machines: readonly Machine[]): Promise<void> {
  const changed = deferred();
  const over = new AbortController();
  const listeners: readonly Disposable[] = machines.map(({ backend }) =>
    backend.onDidChange(() => changed.resolve()),
  );
  await Promise.race([delay(clock, REDRAW_MS, over.signal), changed.promise]);
  over.abort();
  listeners.forEach((listener) => listener.dispose());
  await delay(clock, SETTLE_MS);
}
