import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { type KeptOutput, NOTHING_KEPT } from '../../core/index.js';
import { ensurePrivateFolder, StartError } from '../../machine/index.js';
import { partsOfName, readSegments } from './outputFile.js';
import { Segment } from './segment.js';

/** The files of one process. */
export interface FilesOfOne {
  readonly name: string;
  /** Oldest first. */
  readonly paths: readonly string[];
  readonly bytes: number;
  /** When something was written last, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** The most processes whose files stay ready to be read. */
const MOST_READY = 4;

/**
 * The folder with the files of all processes. There are also those of processes of servers that have ended, and of other
 * servers that run.
 */
export class OutputFolder {
  readonly #path: string | undefined;
  /** The files of ended servers that were read last, by the name of the process. */
  readonly #ready = new Map<string, readonly Segment[]>();

  /** @param folder Undefined if the user has no place for what programs keep; then there is nothing. */
  constructor(folder: string | undefined) {
    this.#path = folder;
  }

  /**
   * Makes it if it is not there.
   *
   * @returns its path.
   * @throws StartError if it cannot be made, others can look into it, or the user has no place for it.
   */
  make(): string {
    if (this.#path === undefined) {
      throw new StartError('you have no home folder here. Set HOME or XDG_STATE_HOME');
    }
    ensurePrivateFolder(this.#path);
    return this.#path;
  }

  /** The files that are there, by process. */
  async list(): Promise<readonly FilesOfOne[]> {
    const folder = this.#path;
    if (folder === undefined) {
      return [];
    }
    const files = await readdir(folder).catch(() => []);
    const found = await Promise.all(
      files.flatMap((file) => {
        const parts = partsOfName(file);
        return parts === undefined ? [] : [this.#look(path.join(folder, file), parts)];
      }),
    );
    const byName = new Map<string, NonNullable<(typeof found)[number]>[]>();
    for (const file of found.flatMap((one) => one ?? [])) {
      byName.set(file.name, [...(byName.get(file.name) ?? []), file]);
    }
    return [...byName].map(([name, parts]) => ({
      name,
      paths: parts.sort((one, other) => one.number - other.number).map((part) => part.path),
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      writtenAt: Math.max(...parts.map(({ writtenAt }) => writtenAt)),
    }));
  }

  /** Reads what an ended server has left of the output of a process. */
  async read(name: string, afterSeq: number, maxBytes: number): Promise<KeptOutput> {
    const segments = this.#ready.get(name) ?? (await this.#load(name));
    this.#ready.delete(name);
    this.#ready.set(name, segments);
    const [oldest] = this.#ready.keys();
    if (this.#ready.size > MOST_READY && oldest !== undefined) {
      this.#ready.delete(oldest);
    }
    return readSegments(segments, afterSeq, maxBytes).catch(() => NOTHING_KEPT);
  }

  async remove({ name, paths }: Pick<FilesOfOne, 'name' | 'paths'>): Promise<void> {
    this.#ready.delete(name);
    await Promise.all(paths.map((file) => rm(file, { force: true }).catch(() => undefined)));
  }

  async #load(name: string): Promise<readonly Segment[]> {
    const { paths = [] } = (await this.list()).find((files) => files.name === name) ?? {};
    const segments = await Promise.all(paths.map((file) => Segment.load(file).catch(() => undefined)));
    return segments.flatMap((segment) => segment ?? []);
  }

  async #look(file: string, parts: { readonly name: string; readonly number: number }) {
    const found = await stat(file).catch(() => undefined);
    return found && { ...parts, path: file, bytes: found.size, writtenAt: found.mtimeMs };
  }
}
