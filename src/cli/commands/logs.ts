import type { ExecProcess, OutputEvent } from '../../core/index.js';
import { plainText, terminalText } from '../../terminal/index.js';
import { type Console, remark } from '../console.js';
import { ExitCode } from '../exitCodes.js';
import { withMachines } from '../machines.js';
import { type CliSession, listSessions, withProcess } from '../sessions/cliSession.js';
import { selectSession } from '../sessions/selectSession.js';
import { lastSeqOf, readAll, upTo } from '../sessions/readAll.js';

export interface LogsOptions {
  readonly follow: boolean;
  readonly plain: boolean;
}

const WIDE = { columns: 300, rows: 100 };

/** Prints what is retained of a session's output, with `follow` what comes as well. All of it goes to standard output. */
export function logs(console: Console, selector: string, { follow, plain }: LogsOptions): Promise<number> {
  return withMachines(console, async (machines) => {
    const session = selectSession(await listSessions(machines), selector);
    sayEvicted(console, session);
    await withProcess(session, async (process) => {
      if (plain && !follow) {
        console.stdout.write(plainText(await readAll(session, process)));
      } else {
        const render = plain ? plainRender() : renderFor(console, process);
        await upTo(follow ? Number.POSITIVE_INFINITY : lastSeqOf(session), process, (event, done) =>
          console.stdout.write(render(event), done),
        );
      }
    });
    return ExitCode.done;
  });
}

type Render = (event: OutputEvent) => string | Uint8Array;

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

function sayEvicted(console: Console, { info }: CliSession): void {
  const { bytes } = info.output.evicted;
  if (bytes > 0) {
    remark(console, `exec-sessions: the first ${bytes} bytes are no longer kept.`);
  }
}
