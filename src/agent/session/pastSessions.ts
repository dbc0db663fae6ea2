import {
  causeText,
  type EndedReceipt,
  type ExecProcess,
  holderText,
  missingEnd,
  type MissingEnd,
  oneLine,
  type PastOutputs,
  pastReader,
  refusalText,
  spanText,
} from '../../core/index.js';

import type { SessionAgent } from './sessionAgent.js';

/** Reads the receipts of sessions that have ended, the newest end first. May reject. */
export type ReadReceipts = () => Promise<readonly EndedReceipt[]>;

/** The most sessions that are named at once, of the agent's own and of all. */
const MOST = { own: 5, all: 20 };
/** Sessions that ended longer ago than this, in milliseconds, are not named. */
const AGE_MS = 24 * 60 * 60 * 1_000;
const COMMAND_LENGTH = 80;

/** A session that no list has any more, and whose output is on disk. */
export interface PastSession {
  readonly number: number;
  readonly commandLine: string;
  readonly tty: boolean;
  readonly lost: boolean;
  /** How it ended, as a part of a sentence. */
  readonly endText: string;
  readonly output: Pick<ExecProcess, 'read'>;
  /** The part of the output that is missing at its end. */
  readonly missingEnd: MissingEnd | undefined;
}

/** The sessions that receipts describe and that no list has any more, because their server has ended or let them go. */
export class PastSessions {
  readonly #read: ReadReceipts;
  readonly #outputs: PastOutputs | undefined;

  /** @param outputs The kept output of these sessions, by the ids of their receipts. */
  constructor(read: ReadReceipts = () => Promise.resolve([]), outputs?: PastOutputs) {
    this.#read = read;
    this.#outputs = outputs;
  }

  /** The session with this number, if its output is on disk. */
  async withOutput(number: number, now: number): Promise<PastSession | undefined> {
    const outputs = this.#outputs;
    const names = await this.#names();
    const receipt = (await this.#all()).find((one) => one.number === number && names.has(one.id));
    return receipt && outputs
      ? {
          number,
          commandLine: receipt.commandLine,
          tty: receipt.tty,
          lost: receipt.end.kind === 'lost',
          endText: endText(receipt, now),
          output: pastReader(outputs, receipt.id),
          missingEnd: await missingEnd(outputs, receipt),
        }
      : undefined;
  }

  /** The session with this number as the rest of a sentence, and what to do; undefined if none is known. */
  async textOf(number: number, now: number): Promise<string | undefined> {
    const receipt = (await this.#all()).find((one) => one.number === number);
    if (receipt === undefined) {
      return undefined;
    }
    const what = `(${oneLine(receipt.commandLine, COMMAND_LENGTH)}) ${endText(receipt, now)}`;
    return (await this.#names()).has(receipt.id)
      ? `${what}. Its output is on disk, and only read_output can be used with it: start the command again if you need more.`
      : `${what}. Its output is gone: start the command again if you need it.`;
  }

  /**
   * A line for each session that is in no list and ended not long ago, the newest end first.
   *
   * @param options.listed The numbers of the sessions that are in a list.
   * @param options.all Whether to include the sessions of all agents, not only of those with the reader's name and
   *   folder.
   */
  async lines(
    reader: SessionAgent,
    now: number,
    options: {
      readonly listed: ReadonlySet<number>;
      readonly all: boolean;
      readonly folder: string | undefined;
    },
  ): Promise<readonly string[]> {
    const { listed, all } = options;
    const past = (await this.#all()).filter(
      ({ number, origin, end, folder }) =>
        number !== undefined &&
        !listed.has(number) &&
        now - end.at < AGE_MS &&
        (all ||
          (origin.kind === 'agent' &&
            origin.name === reader.givenName &&
            isOfFolder(folder, options.folder))),
    );
    const shown = past.slice(0, all ? MOST.all : MOST.own);
    if (shown.length === 0) {
      return [];
    }
    const names = await this.#names();
    const anyKept = shown.some(({ id }) => names.has(id));
    const count = past.length === shown.length ? past.length : `the last ${shown.length} of ${past.length}`;
    const output = (id: string) =>
      names.has(id) ? ' | output on disk: read_output has it' : ' | output gone';
    return [
      anyKept ? `Ended before (${count}):` : `Ended before, output gone (${count}):`,
      ...shown.map(
        (receipt) =>
          `Session ${receipt.number ?? ''}: ${oneLine(receipt.commandLine, COMMAND_LENGTH)} | ${endText(receipt, now)}${anyKept ? output(receipt.id) : ''}`,
      ),
    ];
  }

  async #names(): Promise<ReadonlySet<string>> {
    return (await this.#outputs?.names()) ?? new Set();
  }

  /** Without receipts there is nothing to tell, and the call does not fail. */
  #all(): Promise<readonly EndedReceipt[]> {
    return this.#read().catch(() => []);
  }
}

/** Whether a session is of the folder that an agent works in. Without such a folder every session is. */
export function isOfFolder(folder: string | undefined, own: string | undefined): boolean {
  return own === undefined || folder === own;
}

function endText(receipt: EndedReceipt, now: number): string {
  const { end, endedBy } = receipt;
  const ago = `${spanText(Math.max(0, now - end.at))} ago`;
  const cause = endedBy === undefined ? [] : [causeText(endedBy)];
  if (end.kind === 'lost') {
    return [`was lost about ${ago}, when ${holderText(receipt)} ended`, ...cause].join(', ');
  }
  const { signal, exitCode } = end.status;
  const why = cause[0] ?? refusalText(end.status);
  return [`ended ${ago} with ${signal ?? `exit ${exitCode}`}`, ...(why === undefined ? [] : [why])].join(
    ', ',
  );
}
