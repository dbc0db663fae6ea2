import {
  type InputMode,
  type InputWait,
  oneLine,
  type ProcessLog,
  QUESTION_LENGTH,
} from '../../core/index.js';
import { PlainText } from '../../terminal/index.js';
import { listeningSockets } from '../ports/listeningSockets.js';
import { holdersAmong } from '../ports/socketHolders.js';
import type { ProcessRow } from '../marks/processTable.js';
import { readOutput } from '../stop/holders.js';
import { type InputLook, type InputReader, hasJobControl, lookForReader, waitsBegun } from './inputReader.js';

/** The name of a process's own terminal. */
const OWN_TERMINAL = '/dev/tty';
/** The newest output in which a question is looked for: programs may write each character by itself. */
const NEWEST_CHUNKS = 2 * QUESTION_LENGTH;
const NEWEST_BYTES = 4 * 1024;

/** Tells what the programs of one terminal wait for. */
export class TerminalWait {
  readonly #leader: number;
  readonly #links: ReadonlySet<string>;
  readonly #readMode: () => Promise<InputMode | undefined>;
  /** The mode, and the wait for which it was asked: a question costs the machine a process. */
  #known: { readonly wait: string; readonly mode: InputMode } | undefined;

  /** @param links The terminal, as `terminalLinks` names it. */
  constructor(leader: number, links: ReadonlySet<string>, readMode: () => Promise<InputMode | undefined>) {
    this.#leader = leader;
    this.#links = links;
    this.#readMode = readMode;
  }

  /** @param log Its output, whose last line may be a question. */
  async look(log: ProcessLog): Promise<InputWait | undefined> {
    log.fetch();
    const look = lookForReader(this.#leader, (row, fd) => this.#isTerminal(row, fd));
    if (look === undefined || (look.reader === undefined && !look.unknown)) {
      return look && { kind: 'none' };
    }
    const { reader, unknown } = look;
    const mode = await this.#modeFor(reader, log.lastSeq);
    if (mode?.canonical === true && !mode.echo) {
      return { kind: 'secret' };
    }
    if (mode?.canonical === true && reader?.way === 'read') {
      const question = await this.#question(reader, look, log);
      return { kind: 'line', ...(question !== undefined && { question }) };
    }
    return mode === undefined || unknown ? undefined : { kind: mode.canonical ? 'none' : 'keys' };
  }

  #isTerminal({ pid, sid }: ProcessRow, fd: number): boolean {
    const file = readOutput(pid, fd) ?? '';
    return this.#links.has(file) || (file === OWN_TERMINAL && sid === this.#leader);
  }

  /** As long as the reader waits on, and nothing is printed, the mode stays. */
  async #modeFor(reader: InputReader | undefined, lastSeq: number): Promise<InputMode | undefined> {
    const begun = reader && waitsBegun(reader);
    const wait = begun && `${reader.thread} ${begun} ${lastSeq}`;
    if (wait === undefined || wait !== this.#known?.wait) {
      const mode = await this.#readMode();
      this.#known = wait !== undefined && mode !== undefined ? { wait, mode } : undefined;
      return mode;
    }
    return this.#known.mode;
  }

  /** A server may have a thread that reads commands, and its shell's prompt is no question. */
  async #question(reader: InputReader, look: InputLook, log: ProcessLog): Promise<string | undefined> {
    const text = await textBeforeCursor(log);
    if (text === '' || hasJobControl(reader.pid)) {
      return undefined;
    }
    const leads = reader.thread === this.#leader;
    return leads || !(await anyListens(look.pids)) ? text : undefined;
  }
}

/** @param links The input as `ownLinks` names it; none without a pipe. */
export function pipeWait(leader: number, links: ReadonlySet<string>): InputWait | undefined {
  const look = lookForReader(leader, ({ pid }, fd) => links.has(readOutput(pid, fd) ?? ''));
  if (look?.reader?.way === 'read') {
    return { kind: 'pipe' };
  }
  return look === undefined || look.unknown ? undefined : { kind: 'none' };
}

/** Whether a process listens at a port. If that cannot be told, it is taken for a server. */
async function anyListens(pids: readonly number[]): Promise<boolean> {
  const [reader] = pids;
  try {
    const sockets = await listeningSockets(`/proc/${reader}`);
    return holdersAmong(pids, new Set(sockets.map(({ inode }) => inode))).length > 0;
  } catch {
    return true;
  }
}

/** The end of the text in front of the cursor, on one line; empty if the cursor stands at the start of a line. */
async function textBeforeCursor(log: ProcessLog): Promise<string> {
  const { chunks } = await log.read({ afterSeq: log.lastSeq - NEWEST_CHUNKS });
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes)).subarray(-NEWEST_BYTES);
  const text = new PlainText();
  text.write({ stream: 'pty', bytes });
  const characters = Array.from(text.beforeCursor);
  return oneLine(characters.slice(-QUESTION_LENGTH).join(''), QUESTION_LENGTH);
}
