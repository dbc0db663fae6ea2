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
import type { FileWork } from './fileWork.js';
import { MAX_READ_FILE_BYTES } from './limits.js';
import { READ, replaceContent, WRITE } from './openFile.js';

/** The smallest buffer for reading, in bytes: files whose size is unknown, such as those in /proc, report 0. */
const FIRST_ROOM = 64 * 1024;
/** The bytes beyond the expected end that show whether a file goes on: some in /proc refuse reads of a single one. */
const BEYOND = 4096;
/** The factor by which the buffer is larger each time that a file did not fit. */
const GROWTH = 4;

/**
 * Reads a file as soon as the budget has room for it. A file that turns out to be larger than it says is read anew when
 * there is more room. Reading on in the hope for room could wait for others that do the same.
 */
export async function readWholeFile(
  params: ParamsOf<'fs/readFile'>,
  budget: AnswerBudget,
  work: FileWork,
  limit = MAX_READ_FILE_BYTES,
): Promise<ResultOf<'fs/readFile'>> {
  const file = pathOf(params);
  let room = Math.max(await sizeOf(file), FIRST_ROOM);
  for (;;) {
    const bytes = Math.min(room, limit);
    // The file is opened only after waiting for the budget: many waiting requests would use up all open files.
    const dataBase64 = await budget.run(bytes, () => readAtMost(bytes, params, work, limit));
    if (dataBase64 !== undefined) {
      return { dataBase64 };
    }
    room *= GROWTH;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0; // Opening the file reports the error, if it matters.
  }
}

/** @returns undefined if the file is larger than `bytes`. */
async function readAtMost(
  bytes: number,
  params: ParamsOf<'fs/readFile'>,
  work: FileWork,
  limit: number,
): Promise<string | undefined> {
  const { handle, stats } = await work.open(pathOf(params), READ, params);
  try {
    if (stats.size > limit) {
      throw tooLarge(limit);
    }
    const buffer = Buffer.allocUnsafeSlow(bytes + BEYOND);
    const length = await fill(buffer, handle);
    if (length > limit) {
      throw tooLarge(limit);
    }
    return length <= bytes ? encodeBase64(buffer.subarray(0, length)) : undefined;
  } finally {
    await handle.close();
  }
}

/** Reads to the end of the file or of the buffer. Returns the number of bytes. */
async function fill(buffer: Buffer, handle: FileHandle): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) {
      break;
    }
    length += bytesRead;
  }
  return length;
}

function tooLarge(limit: number): WireError {
  return invalidRequest(`file is too large to read: limit is ${limit} bytes`);
}

export async function writeWholeFile(
  params: ParamsOf<'fs/writeFile'>,
  work: FileWork,
): Promise<ResultOf<'fs/writeFile'>> {
  const file = pathOf(params);
  const bytes = decodeData(params.dataBase64);
  const opened = await work.open(file, WRITE, {
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
