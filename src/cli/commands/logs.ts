import type { ExecProcess, MissingOutput, OutputChunk, RetainedOutput } from '../../core/index.js';
import { plainText, terminalText } from '../../terminal/index.js';
import { type Console, remark } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { listSessions, withProcess } from '../sessions/cliSession.js';
import { selectSession } from '../sessions/selectSession.js';
import { readPages, upTo } from '../sessions/readAll.js';

export interface LogsOptions {
  readonly follow: boolean;
  /** Only output of this time and later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly plain: boolean;
}

const WIDE = { columns: 300, rows: 100 };

/** Prints what is retained of a session's output, with `follow` what comes as well. All of it goes to standard output. */
export function logs(
  console: Console,
  selector: string,
  { follow, since, plain }: LogsOptions,
): Promise<number> {
  return withMachines(console, async (machines) => {
    const session = selectSession(await listSessions(machines), selector);
    await withProcess(session, async (process) => {
      const render = plain ? (follow ? plainRender() : undefined) : renderFor(console, process);
      const whole: OutputChunk[] = [];
      let afterSeq = since === undefined ? 0 : await process.seqBefore(since);
      const take = async ({ chunks, missing }: RetainedOutput) => {
        missing.forEach((range) => sayMissing(console, range));
        afterSeq = chunks.at(-1)?.seq ?? afterSeq;
        if (render === undefined) {
          whole.push(...chunks);
        } else {
          await written(console, chunks.map(render));
        }
      };
      await readPages(session, process, take, afterSeq);
      console.stdout.write(plainText(whole));
      if (follow && render !== undefined) {
        const end = Number.POSITIVE_INFINITY;
        const write = (event: OutputChunk, done: () => void) => console.stdout.write(render(event), done);
        await upTo(end, process, write, afterSeq);
      }
    });
    return ExitCode.done;
  });
}

type Render = (chunk: OutputChunk) => string | Uint8Array;

/** Writes pieces, and waits until they have been taken. */
async function written({ stdout }: Console, pieces: readonly (string | Uint8Array)[]): Promise<void> {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  await new Promise<void>((resolve) => void stdout.write(bytes, () => resolve()));
}

/** A terminal gets nothing that it would answer, and no mode that stays on; everybody else gets the bytes. */
function renderFor({ onTerminal }: Console, process: ExecProcess): Render {
  if (!onTerminal.output) {
    return ({ bytes }) => bytes;
  }
  const text = terminalText(process.info().tty, () => WIDE);
  text.report(false);
  return ({ stream, bytes }) => text.write(stream, bytes, false).text;
}

/** Whole lines, since a later piece may overwrite what a line has. */
function plainRender(): Render {
  let rest: { readonly stream: 'stdout' | 'stderr' | 'pty'; readonly bytes: Uint8Array }[] = [];
  return (event) => {
    // Borrowed memory is not kept: this subscriber borrows nothing.
    rest.push(event);
    if (!event.bytes.includes(10)) {
      return '';
    }
    const text = plainText(rest);
    const end = text.lastIndexOf('\n') + 1;
    rest = [{ stream: event.stream, bytes: Buffer.from(text.slice(end)) }];
    return text.slice(0, end);
  };
}

function sayMissing(console: Console, { fromSeq, bytes }: MissingOutput): void {
  const size =
    bytes === undefined ? 'some of the output is' : `${fromSeq > 1 ? '' : 'the first '}${bytes} bytes are`;
  remark(console, `exec-sessions: ${size} no longer kept.`);
}
