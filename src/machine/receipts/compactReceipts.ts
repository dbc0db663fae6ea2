import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { type Clock, receiptLine } from '../../core/index.js';
import { claimFile } from '../fileClaim.js';
import { openOwn, openOwnToAppend, readOwn } from './openOwn.js';
import { MOST_RECEIPTS, readKnown } from './readReceipts.js';
import type { ReceiptPlace } from './receiptPlace.js';
import { unlessMissing } from './unlessMissing.js';

/**
 * Replaces the file of receipts by one with the newest receipts, each once. Others may append meanwhile, and nothing of
 * theirs is lost: what came after it was read is copied behind the new lines; whoever appends later sees that the file is
 * another one, see `LineAppender`. If this process dies on the way, readers find the rest in the file from before.
 *
 * @returns the size of the new file in bytes.
 * @throws Error if it cannot be written, or another process does the same; the receipts are as before then.
 */
export function compactReceipts(place: ReceiptPlace, clock: Clock): Promise<number> {
  const claimed = path.join(place.folder, 'compaction');
  return claimFile(claimed, clock, () => compact(place), { limitMs: 0 });
}

async function compact(place: ReceiptPlace): Promise<number> {
  await takeBack(place);
  const old = await openOwn(place.file);
  const aside = path.join(place.folder, `.${randomUUID()}`);
  try {
    const { size: read } = await old.stat();
    const { known } = await readKnown(place);
    const kept = [...known]
      .sort((one, other) => timeOf(one) - timeOf(other))
      .slice(-MOST_RECEIPTS)
      .map(({ receipt, revision, run }) => `${receiptLine({ kind: 'receipt', receipt, revision, run })}\n`);
    const written = await open(aside, 'wx', 0o600);
    try {
      await written.writeFile(kept.join(''));
      await written.sync();
      await link(place.file, place.before);
      await rename(aside, place.file);
      const tail = await readFrom(old, read);
      if (tail.length > 0) {
        await appendTo(place.file, tail);
      }
      await rm(place.before, { force: true });
      return (await written.stat()).size;
    } finally {
      await written.close();
    }
  } finally {
    await rm(aside, { force: true });
    await old.close();
  }
}

/** Finishes a compaction whose process has died: its file from before may have what the new one has not. */
async function takeBack({ before, file }: ReceiptPlace): Promise<void> {
  const left = await unlessMissing(readOwn(before));
  if (left !== undefined) {
    await appendTo(file, Buffer.from(left));
    await rm(before, { force: true });
  }
}

/** Those that run last: they are not old, whenever they have begun. */
function timeOf({
  receipt: { end },
}: {
  readonly receipt: { readonly end?: { readonly at: number } };
}): number {
  return end?.at ?? Number.MAX_SAFE_INTEGER;
}

async function readFrom(file: Awaited<ReturnType<typeof open>>, start: number): Promise<Buffer> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.max(0, size - start));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
}

/** In one write, behind what others have appended to the new file. */
async function appendTo(file: string, bytes: Buffer): Promise<void> {
  const handle = await openOwnToAppend(file);
  try {
    await handle.write(Buffer.concat([Buffer.from('\n'), bytes]));
  } finally {
    await handle.close();
  }
}
