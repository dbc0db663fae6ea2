import { plainText } from '../../terminal/index.js';
import { type Console, say, wantsColours } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { painted } from '../output/table.js';
import { oneLine, shortId } from '../output/words.js';
import { listSessions, nameOf, withProcess } from '../sessions/cliSession.js';
import { readAll } from '../sessions/readAll.js';

/**
 * Prints the lines with a text, of the names and the retained output of all sessions, each behind the session's id.
 *
 * @returns as grep, 1 if there are none.
 */
export function search(console: Console, text: string, ignoreCase: boolean): Promise<number> {
  const fold = (line: string) => (ignoreCase ? line.toLowerCase() : line);
  const wanted = fold(text);
  return withMachines(console, async (machines) => {
    const sessions = await listSessions(machines);
    let found = false;
    for (const session of sessions) {
      const output = await withProcess(session, async (process) =>
        plainText(await readAll(session, process)),
      );
      const id = shortId(session, sessions);
      for (const line of [nameOf(session), ...output.split('\n')].filter((one) =>
        fold(one).includes(wanted),
      )) {
        found = true;
        say(console, `${wantsColours(console) ? painted(id, 'green') : id}: ${oneLine(line)}`);
      }
    }
    return found ? ExitCode.done : ExitCode.failed;
  });
}
