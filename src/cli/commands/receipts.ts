import { type EndedReceipt, spanText } from '../../core/index.js';
import { readOwnReceipts } from '../../machine/index.js';
import { CliError, ExitCode } from '../exitCodes.js';
import { type Colour, type Console, type Line, type Painted, remark, say } from '../console.js';
import { receiptsJson } from '../output/json.js';
import { endingOf, receiptName, starterOf } from '../output/words.js';
import { tableLines } from '../output/table.js';

/** The receipts of a table without a limit of its own. */
const USUAL_LIMIT = 50;

interface ReceiptsOptions {
  readonly json: boolean;
  readonly limit: number | undefined;
}

/** Prints how sessions have ended, the last one first. No server is needed for it. */
export async function receipts(console: Console, { json, limit }: ReceiptsOptions): Promise<number> {
  const ended = await readAll(console);
  const shown = ended.slice(0, limit ?? (json ? ended.length : USUAL_LIMIT));
  if (json) {
    say(console, receiptsJson(shown));
  } else if (shown.length === 0) {
    remark(console, 'There are no receipts.');
  } else {
    say(console, ...tableOf(console, shown));
  }
  const more = ended.length - shown.length;
  if (more > 0 && limit === undefined) {
    remark(console, `and ${more} more: exec-sessions receipts --limit ${ended.length}`);
  }
  return ExitCode.done;
}

/** @throws CliError if they cannot be read. */
async function readAll(console: Console): Promise<readonly EndedReceipt[]> {
  try {
    return await readOwnReceipts(console.env, console.clock.wallTime(), (reason) =>
      remark(console, `exec-sessions: a file of receipts is left out: ${reason}`),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`The receipts cannot be read: ${reason}`);
  }
}

const HEAD = ['ID', 'ENDED', 'BY', 'HOW', 'NAME'];
const ID_LENGTH = 8;

function tableOf(console: Console, shown: readonly EndedReceipt[]): readonly Line[] {
  const now = console.clock.wallTime();
  const rows = shown.map((receipt): readonly Painted[] => [
    { text: receipt.sessionId.slice(0, ID_LENGTH) },
    { text: spanText(now - receipt.end.at) },
    { text: starterOf(receipt) },
    { text: endingOf(receipt), colour: colourOf(receipt) },
    { text: receiptName(receipt) },
  ]);
  return tableLines(console, HEAD, rows);
}

function colourOf(receipt: EndedReceipt): Colour {
  return receipt.end.kind === 'exit' && receipt.end.status.exitCode === 0 ? 'dim' : 'red';
}
