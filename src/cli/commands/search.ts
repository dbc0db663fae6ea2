import {
  LineFinder,
  missingEnd,
  type OutputChunk,
  readPast,
  type RetainedOutput,
  TextSearch,
} from '../../core/index.js';
import { plainText } from '../../terminal/index.js';
import { type Console, remark, say } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { receiptName, shortId } from '../output/words.js';
import { listSessions, nameOf, withProcess } from '../sessions/cliSession.js';
import { pastSessions } from '../sessions/pastSessions.js';
import { readPages } from '../sessions/readPages.js';

const PAST_ID_LENGTH = 8;
/** Longer lines are shown around their matches, in characters. */
const SHOWN_LENGTH = 1_000;

/**
 * Prints the lines that contain a text, each after its session's id and a long one around the text. It searches the
 * names and the output of all sessions, then of those that no server has any more. It says where output is missing.
 *
 * @returns 1 if no line contains the text, as grep does, or not all sessions could be searched.
 */
export function search(console: Console, text: string, ignoreCase: boolean): Promise<number> {
  const wanted = new TextSearch(text, ignoreCase);
  return withMachines(console, async (machines, unreached) => {
    const sessions = await listSessions(machines);
    let found = false;
    let incomplete = 0;
    let cutShort = 0;
    const print = (id: string, name: string, output: string): boolean => {
      const finder = new LineFinder(wanted);
      const lines = [...finder.take(`${name}\n`), ...finder.take(output), ...finder.end()];
      for (const { line } of lines) {
        const shown = wanted.shown(line, SHOWN_LENGTH);
        say(console, [{ text: id, colour: 'green' }, { text: `: ${shown}` }]);
      }
      return lines.length > 0;
    };
    const textOf = async (read: (take: (page: RetainedOutput) => unknown) => Promise<void>) => {
      const chunks: OutputChunk[] = [];
      let holes = 0;
      await read((page) => {
        chunks.push(...page.chunks);
        holes += page.missing.length;
      });
      incomplete += holes > 0 ? 1 : 0;
      return plainText(chunks);
    };
    for (const session of sessions) {
      const output = await withProcess(session, (process) =>
        textOf((take) => readPages(session, process, take)),
      );
      found = print(shortId(session, sessions), nameOf(session), output) || found;
    }
    const { kept, outputs } = await pastSessions(console, new Set(sessions.map(({ id }) => id)));
    for (const receipt of kept) {
      const output = await textOf((take) => readPast(outputs, receipt.id, take));
      const id = receipt.sessionId.slice(0, PAST_ID_LENGTH);
      found = print(id, receiptName(receipt), output) || found;
      cutShort += (await missingEnd(outputs, receipt)) === undefined ? 0 : 1;
    }
    if (unreached) {
      remark(console, 'exec-sessions: sessions of a server that cannot be reached now were not searched.');
    }
    if (incomplete > 0) {
      const whose = incomplete === 1 ? 'one session is' : `${incomplete} sessions is`;
      remark(
        console,
        `exec-sessions: some of the output of ${whose} no longer kept, and was not searched. "exec-sessions logs ID" says how much.`,
      );
    }
    if (cutShort > 0) {
      const whose = cutShort === 1 ? 'one session' : `${cutShort} sessions`;
      remark(
        console,
        `exec-sessions: the end of the output of ${whose} may be missing on disk. "exec-sessions logs ID" says what is known.`,
      );
    }
    return found && !unreached ? ExitCode.done : ExitCode.failed;
  });
}
