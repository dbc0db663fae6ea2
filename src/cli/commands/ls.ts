import { type Console, remark, say } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { type ListOptions, listText } from '../output/listText.js';
import { listSessions } from '../sessions/cliSession.js';

export interface LsOptions extends ListOptions {
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
