import fs from 'node:fs';

import type { OutputChunk } from '../../src/core/index.js';
import { Segment } from '../../src/machine/index.js';
import { RecordQueue } from '../../src/server/outputFiles/recordQueue.js';
import { outputFilesIn } from './longOutput.js';

const ALL = Number.MAX_SAFE_INTEGER;

/** Leaves of the only file with output its first and its last piece, as two files between which one is gone. */
export async function leaveHole(folder: string): Promise<void> {
  const [file = '', ...others] = outputFilesIn(folder);
  const whole = await Segment.load(file);
  const chunks = (await whole?.read(0, ALL))?.chunks ?? [];
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (others.length > 0 || first === undefined || last === undefined || chunks.length < 3) {
    throw new Error(`There are ${chunks.length} pieces in ${[file, ...others].join(', ')}.`);
  }
  fs.rmSync(file);
  const bytes = chunks.slice(0, -1).reduce((sum, chunk) => sum + chunk.bytes.byteLength, 0);
  await write(file, first, 0);
  await write(file.replace(/\d+\.output$/, '9.output'), last, bytes);
}

async function write(file: string, chunk: OutputChunk, bytes: number): Promise<void> {
  const queue = new RecordQueue(ALL);
  queue.push({ type: 'output', at: Date.now(), ...chunk });
  const segment = await Segment.create(file, { bytes }, chunk.seq);
  const batch = queue.take();
  if (batch !== undefined) {
    await segment.append(batch);
  }
  await segment.close();
}
