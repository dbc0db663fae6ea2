import { CliError, ExitCode } from '../exitCodes.js';
import type { Connected } from '../connected.js';
import { type Console, remark, say } from '../console.js';
import { withMachines } from '../machines.js';
import { connectPlace, type Place } from '../places.js';
import { emptyText, listLines, type ListOptions } from '../output/listLines.js';
import { otherLines } from '../output/otherLines.js';
import { otherProcesses } from '../sessions/otherProcesses.js';
import { listSessions } from '../sessions/cliSession.js';

export interface LsOptions extends ListOptions {
  readonly watch: boolean;
  /** The server whose sessions are listed; by default all servers of this machine. */
  readonly on?: Place | undefined;
}

/** Lists the sessions that run, with `all` the ended ones too. On this machine, what else runs comes after them. */
export async function ls(console: Console, options: LsOptions): Promise<number> {
  if (options.watch) {
    if (options.on !== undefined) {
      throw new CliError('--watch is for this machine, and --on for another one.', ExitCode.usage);
    }
    const { watch } = await import('./watch.js');
    return watch(console, options);
  }
  return withServers(console, options.on, async (machines, incomplete) => {
    const [sessions, others] = await Promise.all([
      listSessions(machines),
      // They are left out where the system does not list them.
      options.on === undefined && !options.quiet
        ? otherProcesses(machines).catch(() => undefined)
        : undefined,
    ]);
    const lines = listLines(console, sessions, options, incomplete, others);
    if (lines.length === 0) {
      remark(console, emptyText(options, incomplete));
    }
    const more = options.json ? [] : otherLines(console, others ?? []);
    say(console, ...lines, ...(lines.length > 0 && more.length > 0 ? [''] : []), ...more);
    return incomplete ? ExitCode.failed : ExitCode.done;
  });
}

async function withServers(
  console: Console,
  on: Place | undefined,
  work: (machines: readonly Connected[], incomplete: boolean) => Promise<number>,
): Promise<number> {
  if (on === undefined) {
    return withMachines(console, work);
  }
  const machine = await connectPlace(console, on);
  try {
    return await work([machine], false);
  } finally {
    machine.disconnect();
  }
}
