import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import {
  type EndedReceipt,
  hasEnded,
  readReceiptLines,
  type Receipt,
  type ReceiptRecord,
} from '../../core/index.js';
import { type GuardedEnd, readReport } from '../../local/index.js';
import { readOwn, StrangeFile, unlessMissing } from '../readOwn.js';
import { ownerRunsIn } from '../runOwner.js';
import { type ReceiptPlace, type RunFileName, runFileName } from './receiptPlace.js';

/** One file with receipts. */
interface RunPart {
  readonly file: string;
  /** The last sign of life of its server before the next part, in milliseconds since 1970. */
  readonly signAt: number;
  /** The receipts that no later part of the run repeats, and that are not removed. */
  readonly receipts: readonly Receipt[];
}

/** The receipts of one run of a server. All of them have ends once that server is gone. */
export interface ReceiptRun {
  readonly name: string;
  /** Whether its server is there. */
  readonly isThere: boolean;
  /** The parts, oldest first. */
  readonly parts: readonly RunPart[];
  /** Its other files. */
  readonly others: readonly string[];
}

type RunFile = RunFileName & { readonly file: string };

/**
 * Reads all runs, but for files that no program of ours has written.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @param skipped Called with the reason if there are such files.
 * @throws Error if a file cannot be read: that does not mean that there is nothing.
 */
export async function readRuns(
  place: ReceiptPlace,
  wallTime: number,
  skipped: (reason: string) => void = () => undefined,
): Promise<readonly ReceiptRun[]> {
  const strange = new Set<string>();
  const runs = new Map<string, ReceiptRun>();
  let seen: ReadonlyMap<string, readonly RunFile[]> = new Map();
  for (;;) {
    const there = filesByRun(place);
    const news = [...there].filter(([name, files]) => files.length > (seen.get(name)?.length ?? 0));
    if (news.length === 0) {
      const [first] = strange;
      if (first !== undefined) {
        skipped(`${first}${strange.size > 1 ? ` (and ${strange.size - 1} more such files)` : ''}`);
      }
      return [...runs.values()];
    }
    // Other work goes on between two of them: there may be hundreds. Meanwhile a server may begin a part, and end.
    for (const [name, files] of news) {
      runs.set(name, readRun(name, files, wallTime, strange));
      await setImmediate();
    }
    seen = there;
  }
}

function filesByRun({ folder }: ReceiptPlace): ReadonlyMap<string, readonly RunFile[]> {
  const byRun = new Map<string, RunFile[]>();
  for (const name of unlessMissing(folder, () => readdirSync(folder)) ?? []) {
    const parts = runFileName(name);
    if (parts !== undefined) {
      const file = { ...parts, file: path.join(folder, name) };
      byRun.set(parts.run, [...(byRun.get(parts.run) ?? []), file]);
    }
  }
  return byRun;
}

/** @param strange Gets the reasons why files are skipped. */
function readRun(
  name: string,
  files: readonly RunFile[],
  wallTime: number,
  strange: Set<string>,
): ReceiptRun {
  const unlessStrange = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StrangeFile)) {
        throw error;
      }
      strange.add(error.message);
      return undefined;
    }
  };
  const textIn = ({ file }: RunFile): string => unlessStrange(() => textOf(file)) ?? '';
  const of = (kind: RunFile['kind']) =>
    files.filter((file) => file.kind === kind).sort((one, other) => one.number - other.number);
  const parts: Part[] = [];
  for (const { file } of of('part')) {
    const part = unlessStrange(() => readPart(file, wallTime));
    if (part !== undefined) {
      // The clock may have gone back between two parts.
      parts.push({ ...part, signAt: Math.max(part.signAt, parts.at(-1)?.signAt ?? 0) });
    }
  }
  const marks = of('removed').flatMap((file) => readReceiptLines(textIn(file)));
  const newest = parts.at(-1);
  const isThere = newest?.ownerRuns === true;
  const [report] = of('guard');
  const guarded = isThere || report === undefined ? [] : readReport(textIn(report));
  const receipts = newestReceipts([...parts.map(({ records }) => records), marks]);
  return {
    name,
    isThere,
    parts: parts.map(({ file, signAt }, index) => ({
      file,
      signAt,
      receipts: (receipts[index] ?? []).map((one) => (isThere ? one : settled(one, signAt, guarded))),
    })),
    others: files.flatMap(({ kind, file }) => (kind === 'part' ? [] : [file])),
  };
}

interface Part {
  readonly file: string;
  readonly signAt: number;
  readonly ownerRuns: boolean;
  readonly records: readonly ReceiptRecord[];
}

/** Looks for the server first: a server that has ended earlier has written everything that it knew. */
function readPart(file: string, wallTime: number): Part | undefined {
  return readOwn(file, (descriptor, { mtimeMs }) => {
    const isThere = ownerRunsIn(descriptor, wallTime - mtimeMs);
    return {
      file,
      signAt: mtimeMs,
      ownerRuns: isThere,
      records: readReceiptLines(readFileSync(descriptor, 'utf8')),
    };
  });
}

/** The newest receipts of sessions, each in the place of the records that had it last. */
function newestReceipts(groups: readonly (readonly ReceiptRecord[])[]): readonly (readonly Receipt[])[] {
  const newest = new Map<string, { readonly receipt: Receipt; readonly group: number }>();
  groups.forEach((records, group) => {
    for (const record of records) {
      if (record.kind === 'receipt') {
        newest.set(record.receipt.id, { receipt: record.receipt, group });
      } else if (record.lost !== true || newest.get(record.id)?.receipt.end === undefined) {
        newest.delete(record.id);
      }
    }
  });
  const left = [...newest.values()];
  return groups.map((_, index) => left.flatMap(({ receipt, group }) => (group === index ? [receipt] : [])));
}

/** The receipt with its end: a session without an end is lost since the last sign of life of its server. */
function settled(receipt: Receipt, signAt: number, guarded: readonly GuardedEnd[]): EndedReceipt {
  if (hasEnded(receipt)) {
    return receipt;
  }
  const stopped = guarded.find((one) => isLeader(one, receipt));
  return {
    ...receipt,
    end: { kind: 'lost', at: Math.max(receipt.startedAt, signAt) },
    ...(stopped && { endedBy: { kind: 'guard' }, steps: stopped.steps }),
  };
}

function isLeader({ sid, startTime }: GuardedEnd, { leader }: Receipt): boolean {
  return leader?.pid === sid && leader.startTime === startTime;
}

function textOf(file: string): string {
  return readOwn(file, (descriptor) => readFileSync(descriptor, 'utf8')) ?? '';
}
