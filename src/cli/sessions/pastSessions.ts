import { type EndedReceipt, spanText } from '../../core/index.js';
import { OutputFolder, readOwnReceipts } from '../../machine/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import type { Console } from '../console.js';
import { endingOf, receiptName } from '../output/words.js';
import { meant } from './selectSession.js';

/** The most candidates that an error lists. */
const MOST_CANDIDATES = 10;
const ID_LENGTH = 8;

/** The sessions that no server has any more, and whose output is on disk. */
interface PastSessions {
  readonly outputs: OutputFolder;
  /** The newest end first. */
  readonly kept: readonly EndedReceipt[];
  /** The sessions whose output is gone as well. */
  readonly ended: readonly EndedReceipt[];
}

/** @param listed The ids of the sessions that a server has. */
export async function pastSessions(
  { env, clock }: Console,
  listed: ReadonlySet<string>,
): Promise<PastSessions> {
  const outputs = OutputFolder.of(env);
  // Without receipts the files belong to no known session; `receipts` says why they cannot be read.
  const all = await readOwnReceipts(env, clock.wallTime()).catch(() => []);
  const ended = all.filter(({ sessionId }) => !listed.has(sessionId));
  const names = ended.length === 0 ? new Set<string>() : await outputs.names();
  return { outputs, kept: ended.filter(({ id }) => names.has(id)), ended };
}

/**
 * Finds the past session that a person means, in the order of {@link meant}.
 *
 * @returns undefined if no session fits.
 * @throws CliError if several fit, or its output is gone.
 */
export function selectPast(
  { kept, ended }: Pick<PastSessions, 'kept' | 'ended'>,
  selector: string,
  now: number,
): EndedReceipt | undefined {
  const matches = matching(kept, selector);
  if (matches.length > 1) {
    throw new CliError(
      `"${selector}" can be any of these sessions, which have ended; give more of the id:`,
      ExitCode.noSession,
      [
        ...matches.slice(0, MOST_CANDIDATES).map((receipt) => candidate(receipt, now)),
        ...(matches.length > MOST_CANDIDATES ? ['  and more: exec-sessions receipts'] : []),
      ],
    );
  }
  const [gone] = matches.length === 0 ? matching(ended, selector) : [];
  if (gone !== undefined) {
    throw new CliError(
      `"${selector}" has ended, and its output is gone: it was not kept on disk. To see how it ended: exec-sessions receipts`,
      ExitCode.noSession,
    );
  }
  return matches[0];
}

function matching(receipts: readonly EndedReceipt[], selector: string): readonly EndedReceipt[] {
  return meant(selector, receipts, ({ sessionId, number, title }) => ({
    id: sessionId,
    number,
    title,
    shownId: sessionId.slice(0, ID_LENGTH),
  }));
}

function candidate(receipt: EndedReceipt, now: number): string {
  const { sessionId, end } = receipt;
  return `  ${sessionId.slice(0, ID_LENGTH)}  ${spanText(now - end.at)}  ${endingOf(receipt)}  ${receiptName(receipt)}`;
}
