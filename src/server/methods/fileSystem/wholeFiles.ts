import { stat, type FileHandle } from 'node:fs/promises';

import {
  decodeBase64,
  encodeBase64,
  type ParamsOf,
  type ResultOf,
  WireError,
} from '../../../protocol/index.js';
import type { AnswerBudget } from '../answerBudget.js';
import { invalidRequest, pathOf } from './fileAnswers.js';
import { MAX_READ_FILE_BYTES } from './limits.js';
import { openFile, READ, WRITE } from './openFile.js';
import { replaceContent } from './replaceContent.js';

/** The smallest buffer for reading, in bytes: files whose size is unknown, such as those in /proc, report 0. */
const FIRST_ROOM = 64 * 1024;

export async function readWholeFile(
  params: ParamsOf<'fs/readFile'>,
  budget: AnswerBudget,
  limit = MAX_READ_FILE_BYTES,
): Promise<ResultOf<'fs/readFile'>> {
  const file = pathOf(params);
  // The file is opened only after waiting for the budget: many waiting requests would use up all open files.
  return budget.run(Math.min(await sizeOf(file), limit), async () => {
    const { handle, stats } = await openFile(file, READ, params);
    try {
      if (stats.size > limit) {
        throw tooLarge(limit);
      }
      return { dataBase64: encodeBase64(await readToEnd(handle, stats.size, limit)) };
    } finally {
      await handle.close();
    }
  });
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0; // Opening the file reports the error, if it matters.
  }
}

/** Reads to the end of the file, which may have moved since its size was looked at. */
async function readToEnd(handle: FileHandle, expected: number, limit: number): Promise<Uint8Array> {
  // One byte more than expected shows whether the file has grown.
  let room = Buffer.allocUnsafeSlow(Math.max(expected + 1, FIRST_ROOM));
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(room, length, room.length - length, null);
    length += bytesRead;
    if (length > limit) {
      throw tooLarge(limit);
    }
    if (bytesRead === 0) {
      return room.subarray(0, length);
    }
    if (length === room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * length, limit + 1));
      room.copy(larger);
      room = larger;
    }
  }
}

function tooLarge(limit: number): WireError {
  return invalidRequest(`file is too large to read: limit is ${limit} bytes`);
}

export async function writeWholeFile(params: ParamsOf<'fs/writeFile'>): Promise<ResultOf<'fs/writeFile'>> {
  const file = pathOf(params);
  const bytes = decodeData(params.dataBase64);
  const opened = await openFile(file, WRITE, {
    followSymlinks: params.followSymlinks,
    devices: true,
  });
  try {
    await replaceContent(opened, bytes);
  } finally {
    await opened.handle.close();
  }
  return {};
}

/** The real server takes a fault in it for one of the request, not of its parameters. */
function decodeData(dataBase64: string): Uint8Array {
  try {
    return decodeBase64(dataBase64, 'dataBase64');
  } catch (error) {
    throw error instanceof WireError ? invalidRequest(error.message) : error;
  }
}
