import {
  type EndedReceipt,
  hasEnded,
  readReceiptLines,
  type Receipt,
  type ReceiptRecord,
} from '../../core/index.js';
import type { GuardedEnd } from '../../local/index.js';
import { openOwn, readOwn } from './openOwn.js';
import { receiptPlace, type ReceiptPlace } from './receiptPlace.js';
import { readRuns, type RunState } from './serverRun.js';
import { unlessMissing } from './unlessMissing.js';

/** The most receipts that are kept, the newest ones. */
export const MOST_RECEIPTS = 2_000;

export interface Receipts {
  /** Those of sessions that have ended, the newest end first. */
  readonly ended: readonly EndedReceipt[];
  /** The numbers of the lines that cannot be read, wholly or in part. */
  readonly unreadable: readonly number[];
}

/** What is known of one session: its newest record, and the server that wrote it. */
export interface KnownReceipt {
  readonly revision: number;
  readonly run: string;
  readonly receipt: Receipt;
}

/**
 * Reads the receipts; none where there are none. A session that has no end, and whose server is gone, is lost since the
 * last sign of life of that server.
 *
 * @param wallTime Now, in milliseconds since 1970.
 * @throws Error if the file is there and cannot be read, or is somebody else's.
 */
export async function readReceipts(place: ReceiptPlace, wallTime: number): Promise<Receipts> {
  const before = await readKnown(place);
  const runs = await readRuns(place, wallTime);
  const mayBeLost = before.known.some((one) => isLost(one, runs));
  const { known, unreadable } = mayBeLost ? await readKnown(place) : before;
  const ended = endsKnown(before.known, runs, known);
  ended.sort((one, other) => other.end.at - one.end.at);
  return { ended: ended.slice(0, MOST_RECEIPTS), unreadable };
}

/**
 * The receipts of this user, the newest end first.
 *
 * @throws Error if they cannot be read.
 */
export async function readOwnReceipts(): Promise<readonly EndedReceipt[]> {
  const place = receiptPlace(process.env);
  return place === undefined ? [] : (await readReceipts(place, Date.now())).ended;
}

/** Everything in the files, the oldest start first, and each session once. */
export async function readKnown(
  place: ReceiptPlace,
): Promise<{ readonly known: readonly KnownReceipt[]; readonly unreadable: readonly number[] }> {
  // A compaction that begins now replaces a file that is open already, and that has all that was there. One that is on its
  // way has made the file from before by then, or has copied the rest of that behind the new lines, which come last here.
  const file = await unlessMissing(openOwn(place.file));
  try {
    const earlier = readReceiptLines((await unlessMissing(readOwn(place.before))) ?? '');
    const { records, unreadable } = readReceiptLines((await file?.readFile('utf8')) ?? '');
    return { known: newest([...earlier.records, ...records]), unreadable };
  } finally {
    await file?.close();
  }
}

/** The receipt with its end, where that is known or can be told; undefined if the session may still run. */
export function settled(
  { receipt, run }: KnownReceipt,
  runs: ReadonlyMap<string, RunState>,
): EndedReceipt | undefined {
  if (hasEnded(receipt)) {
    return receipt;
  }
  const state = runs.get(run);
  if (state?.runs === true) {
    return undefined;
  }
  const at = Math.max(receipt.startedAt, state?.lastSign ?? 0);
  const guarded = state?.guarded.find((one) => isLeader(one, receipt));
  return {
    ...receipt,
    end: { kind: 'lost', at },
    ...(guarded && { endedBy: { kind: 'guard' }, steps: guarded.steps }),
  };
}

function isLeader({ sid, startTime }: GuardedEnd, { leader }: Receipt): boolean {
  return leader?.pid === sid && leader.startTime === startTime;
}

/**
 * The ends of sessions, from two readings and a look at the servers between them. A server makes its file before its first
 * line, and removes it behind its last. So one that had written before and is gone at the look has written all that it
 * knows, which is in the second reading; one that has written only since may be a new one, whose sessions run.
 */
export function endsKnown(
  before: readonly KnownReceipt[],
  runs: ReadonlyMap<string, RunState>,
  known: readonly KnownReceipt[],
): EndedReceipt[] {
  const servers = new Set(before.map(({ run }) => run));
  return known.flatMap((one) => {
    const receipt = servers.has(one.run) || hasEnded(one.receipt) ? settled(one, runs) : undefined;
    return receipt === undefined ? [] : [receipt];
  });
}

/** Whether it has no end, and no server that could still write one. */
function isLost({ receipt, run }: KnownReceipt, runs: ReadonlyMap<string, RunState>): boolean {
  return !hasEnded(receipt) && runs.get(run)?.runs !== true;
}

function newest(records: readonly ReceiptRecord[]): readonly KnownReceipt[] {
  const known = new Map<string, KnownReceipt>();
  const removed = new Set<string>();
  for (const record of records) {
    if (record.kind === 'removed') {
      removed.add(record.id);
    } else if (record.revision >= (known.get(record.receipt.id)?.revision ?? 0)) {
      known.set(record.receipt.id, record);
    }
  }
  return [...known.values()].filter(({ receipt }) => !removed.has(receipt.id));
}
