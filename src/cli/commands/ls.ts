import { type Console, remark, say, wantsColours, widthOf } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { sessionsJson } from '../output/json.js';
import { sessionTable } from '../output/sessionTable.js';
import { isRunning, listSessions, type CliSession } from '../sessions/cliSession.js';

export interface LsOptions {
  readonly json: boolean;
  readonly all: boolean;
  readonly quiet: boolean;
  readonly watch: boolean;
}

/** Lists the sessions that run, with `all` the ended ones too. */
export async function ls(console: Console, options: LsOptions): Promise<number> {
  if (options.watch) {
    const { watch } = await import('./watch.js');
    return watch(console, options);
  }
  return withMachines(console, async (machines) => {
    const text = listText(console, await listSessions(machines), options);
    if (text === '') {
      remark(console, options.all ? 'There are no sessions.' : 'Nothing runs.');
    } else {
      say(console, text);
    }
    return ExitCode.done;
  });
}

/** The list as it is printed; empty if nothing is to be listed and people read it. */
export function listText(
  console: Console,
  sessions: readonly CliSession[],
  { json, all, quiet }: LsOptions,
): string {
  const shown = all ? sessions : sessions.filter(isRunning);
  if (json) {
    return sessionsJson(shown);
  }
  return quiet
    ? shown.map(({ id }) => id).join('\n')
    : sessionTable(shown, sessions, {
        now: console.clock.wallTime(),
        width: widthOf(console),
        colours: wantsColours(console),
      }).join('\n');
}
