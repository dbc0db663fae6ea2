import type { FileHandle } from 'node:fs/promises';

import {
  decodeBase64,
  encodeBase64,
  type ParamsOf,
  type ResultOf,
  WireCode,
  WireError,
} from '../../../protocol/index.js';
import { makeOsError } from '../osErrors.js';
import { invalidRequest, pathOf } from './fileAnswers.js';
import type { FileWork } from './fileWork.js';
import { MAX_BLOCK_BYTES, MAX_HANDLE_ID_BYTES } from './limits.js';
import { READ, REPLACE, writeAt } from './openFile.js';

/** The first offset that the system refuses as well: its offsets are signed, with 64 bits. */
const END_OF_OFFSETS = 2 ** 63;
/**
 * An offset beyond the end of every file. Node ignores an offset that is no safe integer, and uses the current position
 * of the file instead.
 */
const FARTHEST = Number.MAX_SAFE_INTEGER - MAX_BLOCK_BYTES;

/** The open files of one connection, by the names that the client gave them. */
export class FileHandles {
  /** A name is in use as soon as a request asks for it, before the file is open. */
  readonly #handles = new Map<string, Promise<FileHandle>>();
  readonly #most: number;
  #ended = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param work Opens the file. */
  async open(params: ParamsOf<'fs/open'>, work: FileWork): Promise<ResultOf<'fs/open'>> {
    const { handleId } = params;
    const file = pathOf(params);
    this.#checkName(handleId);
    const flags = params.mode === 'replace' ? REPLACE : READ;
    const opening = work.open(file, flags, params).then(({ handle }) => handle);
    this.#handles.set(handleId, opening);
    try {
      const handle = await opening;
      if (this.#ended) {
        await handle.close();
      }
    } catch (error) {
      this.#forget(handleId, opening);
      throw error;
    }
    return { handleId };
  }

  #checkName(handleId: string): void {
    if (Buffer.byteLength(handleId) > MAX_HANDLE_ID_BYTES) {
      throw invalidRequest(`file handle ID must not exceed ${MAX_HANDLE_ID_BYTES} bytes`);
    }
    if (this.#handles.has(handleId)) {
      throw invalidRequest(`file handle \`${handleId}\` already exists`);
    }
    if (this.#handles.size >= this.#most) {
      // In the real server's words.
      throw invalidRequest(`at most ${this.#most} file handles may be open per connection`);
    }
  }

  /** Reads a block. If that fails, the handle is closed. */
  async readBlock({ handleId, offset, len }: ParamsOf<'fs/readBlock'>): Promise<ResultOf<'fs/readBlock'>> {
    if (len < 1 || len > MAX_BLOCK_BYTES) {
      throw invalidRequest(`file read block length must be between 1 and ${MAX_BLOCK_BYTES}`);
    }
    const handle = await this.#find(handleId);
    const block = Buffer.allocUnsafe(len);
    let length = 0;
    try {
      if (offset >= END_OF_OFFSETS) {
        throw makeOsError('EINVAL');
      }
      const start = Math.min(offset, FARTHEST);
      for (let bytesRead = -1; bytesRead !== 0 && length < len; length += bytesRead) {
        ({ bytesRead } = await handle.read(block, length, len - length, start + length));
      }
    } catch (error) {
      await this.close({ handleId });
      throw error;
    }
    return { chunk: encodeBase64(block.subarray(0, length)), eof: length < len };
  }

  async writeBlock({
    handleId,
    offset,
    chunk,
  }: ParamsOf<'fs/writeBlock'>): Promise<ResultOf<'fs/writeBlock'>> {
    const block = decodeBase64(chunk, 'chunk');
    if (block.length < 1 || block.length > MAX_BLOCK_BYTES) {
      throw invalidRequest(`file write block length must be between 1 and ${MAX_BLOCK_BYTES}`);
    }
    const handle = await this.#find(handleId);
    if (offset >= END_OF_OFFSETS) {
      throw invalidRequest('file write range exceeds the signed 64-bit file offset limit');
    }
    if (offset > FARTHEST) {
      throw makeOsError('EFBIG');
    }
    await writeAt(handle, block, offset);
    return {};
  }

  async close({ handleId }: ParamsOf<'fs/close'>): Promise<ResultOf<'fs/close'>> {
    const opening = this.#handles.get(handleId);
    if (opening !== undefined) {
      this.#forget(handleId, opening);
      await (await opening).close();
    }
    return {};
  }

  /** Closes all files, since the connection that could use them has ended. */
  end(): void {
    this.#ended = true;
    for (const opening of this.#handles.values()) {
      opening.then((handle) => handle.close()).catch(() => undefined);
    }
    this.#handles.clear();
  }

  #find(handleId: string): Promise<FileHandle> {
    const handle = this.#handles.get(handleId);
    if (handle === undefined) {
      throw new WireError(WireCode.notFound, `unknown file handle \`${handleId}\``);
    }
    return handle;
  }

  #forget(handleId: string, opening: Promise<FileHandle>): void {
    if (this.#handles.get(handleId) === opening) {
      this.#handles.delete(handleId);
    }
  }
}
