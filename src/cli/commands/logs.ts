import {
  type EndedReceipt,
  missingEnd,
  type MissingEnd,
  type MissingOutput,
  type OutputChunk,
  readPast,
  type RetainedOutput,
} from '../../core/index.js';
import type { OutputFolder } from '../../machine/index.js';
import { PlainText, terminalText } from '../../terminal/index.js';
import { type Console, remark } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { type CliSession, listSessions, withProcess } from '../sessions/cliSession.js';
import { pastSessions, selectPast } from '../sessions/pastSessions.js';
import { refuseLoop } from '../sessions/refuseLoop.js';
import { findSession, selectSession } from '../sessions/selectSession.js';
import { readPages, upTo } from '../sessions/readPages.js';

export interface LogsOptions {
  readonly follow: boolean;
  /** Only output of this time and later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly plain: boolean;
}

const WIDE = { columns: 300, rows: 100 };
const PLAIN = '\u001b[0m';

/**
 * Prints the retained output of a session, and with `follow` new output as well. All of it goes to standard output. If
 * no server has the session any more, its output on disk is printed.
 */
export function logs(console: Console, selector: string, options: LogsOptions): Promise<number> {
  return withMachines(console, async (machines) => {
    const sessions = await listSessions(machines);
    const session = findSession(sessions, selector);
    if (session !== undefined) {
      if (options.follow) {
        await refuseLoop(console, session, sessions);
      }
      await sessionLogs(console, session, options);
      return ExitCode.done;
    }
    const past = await pastSessions(console, new Set(sessions.map(({ id }) => id)));
    const receipt = selectPast(past, selector, console.clock.wallTime());
    if (receipt === undefined) {
      // Says that no session fits, and lists the candidates.
      selectSession(sessions, selector);
    } else {
      await pastLogs(console, receipt, past.outputs, options);
    }
    return ExitCode.done;
  });
}

async function sessionLogs(
  console: Console,
  session: CliSession,
  { follow, since, plain }: LogsOptions,
): Promise<void> {
  await withProcess(session, async (process) => {
    const { tty } = process.info();
    const render = plain ? new PlainText() : renderFor(console, tty);
    const print = new Printer(console, render, since === undefined ? 0 : await process.seqBefore(since));
    try {
      await readPages(session, process, (page) => print.take(page), print.lastSeq);
      if (follow) {
        const end = Number.POSITIVE_INFINITY;
        const write = (event: OutputChunk, done: () => void) =>
          console.stdout.write(render.write(event), done);
        await upTo(end, process, write, print.lastSeq);
      }
    } finally {
      print.end();
    }
  });
}

/** Nothing follows any more. */
async function pastLogs(
  console: Console,
  receipt: EndedReceipt,
  outputs: OutputFolder,
  { since, plain }: LogsOptions,
): Promise<void> {
  const { id } = receipt;
  const render = plain ? new PlainText() : renderFor(console, receipt.tty);
  const print = new Printer(console, render, since === undefined ? 0 : await outputs.seqBefore(id, since));
  await readPast(outputs, id, (page) => print.take(page), print.lastSeq);
  print.end();
  const missing = await missingEnd(outputs, receipt);
  if (missing !== undefined) {
    remark(console, `exec-sessions: ${missingEndWords(missing)}`);
  }
}

/** Makes what is printed of output. */
interface Render {
  write(chunk: OutputChunk): string | Uint8Array;
  /** Ends the output. Returns what was held back of it. */
  end(): string;
}

/** Prints pages of output. */
class Printer {
  readonly #console: Console;
  readonly #render: Render;
  #lastSeq: number;

  /** @param afterSeq The number after which the output begins. */
  constructor(console: Console, render: Render, afterSeq: number) {
    this.#console = console;
    this.#render = render;
    this.#lastSeq = afterSeq;
  }

  /** The number of the last output so far; at first, the number after which the output begins. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Resolves when the page has been taken. */
  async take({ chunks, missing }: RetainedOutput): Promise<void> {
    missing.forEach((range) => remark(this.#console, `exec-sessions: ${missingWords(range)}`));
    this.#lastSeq = chunks.at(-1)?.seq ?? this.#lastSeq;
    await written(
      this.#console,
      chunks.map((chunk) => this.#render.write(chunk)),
    );
  }

  end(): void {
    this.#console.stdout.write(this.#render.end());
  }
}

/** Writes pieces, and waits until they have been taken. */
async function written({ stdout }: Console, pieces: readonly (string | Uint8Array)[]): Promise<void> {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  await new Promise<void>((resolve) => void stdout.write(bytes, () => resolve()));
}

/** A terminal gets nothing that it would answer, and no mode that stays on; every other reader gets the bytes. */
function renderFor({ onTerminal }: Console, tty: boolean): Render {
  if (!onTerminal.output) {
    return { write: ({ bytes }) => bytes, end: () => '' };
  }
  const text = terminalText(tty, () => WIDE, { onlyText: { imageMark: '[image]' } });
  return {
    write: ({ stream, bytes }) => {
      const before = text.pen;
      const written = text.write(stream, bytes, false).text;
      // Whatever ends this program leaves a terminal without colours.
      return before + written + text.insert(PLAIN);
    },
    // Only half a character is ever held back.
    end: () => text.skip('', undefined),
  };
}

/** Words for output that is missing at the beginning, or in the middle. */
function missingWords({ fromSeq, bytes }: MissingOutput): string {
  return bytes === undefined
    ? 'output is missing here.'
    : `${fromSeq > 1 ? '' : 'the first '}${bytes} bytes are no longer kept.`;
}

/** Words for output that is missing at the end of an output on disk. */
function missingEndWords({ bytes }: MissingEnd): string {
  return bytes === undefined
    ? 'the end of the output may be missing: its server ended before it could say that all is on disk.'
    : `the last ${bytes} bytes are not on disk.`;
}
