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
import { MAX_BLOCK_BYTES, MAX_FILE_HANDLES, MAX_HANDLE_ID_BYTES } from './limits.js';
import { openFile, READ, REPLACE } from './openFile.js';

/** What is no place in a file for the system either: it counts with a sign, in 64 bits. */
const END_OF_OFFSETS = 2 ** 63;
/** Behind all there is. A number that is not exact is no place for Node: it would go on from where it was. */
const FARTHEST = Number.MAX_SAFE_INTEGER - MAX_BLOCK_BYTES;

/** The files that one connection has open, by the names that it gave them. */
export class FileHandles {
  /** A name is taken from the moment on that it is asked for. */
  readonly #handles = new Map<string, Promise<FileHandle>>();
  #ended = false;

  async open(params: ParamsOf<'fs/open'>): Promise<ResultOf<'fs/open'>> {
    const { handleId } = params;
    const file = pathOf(params);
    this.#checkName(handleId);
    const flags = params.mode === 'replace' ? REPLACE : READ;
    const opening = openFile(file, flags, params).then(({ handle }) => handle);
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
    if (this.#handles.size >= MAX_FILE_HANDLES) {
      throw invalidRequest(`at most ${MAX_FILE_HANDLES} file handles may be open per connection`);
    }
  }

  /** Reads a block. A handle that cannot be read from is closed. */
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
    let written = 0;
    while (written < block.length) {
      const { bytesWritten } = await handle.write(block, written, block.length - written, offset + written);
      written += bytesWritten;
    }
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

  /** Closes all of them: nobody is there any more who could use them. */
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
