import { readdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import {
  type HostVariables,
  type KeptOptions,
  type KeptOutput,
  NOTHING_KEPT,
  type PastOutputs,
  type PrintedAmount,
} from '../../core/index.js';
import { openFilesIn, stateFolder } from '../../local/index.js';
import { ensurePrivateFolder } from '../privateFolder.js';
import { NO_PLACE, StartError } from '../startError.js';
import { partsOfName } from './outputName.js';
import { readSegments } from './readSegments.js';
import { Segment } from './segment.js';

/** The files of one process. */
export interface FilesOfOne {
  readonly name: string;
  /** Oldest first. */
  readonly paths: readonly string[];
  readonly bytes: number;
  /**
   * The time at which the oldest file was made, in milliseconds since 1970. Where a file system does not tell that, the
   * time of its last writing.
   */
  readonly begunAt: number;
  /** The time of the last writing, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** The most processes whose files stay ready to be read. */
const MOST_READY = 4;

/**
 * The folder with the output of all processes. It also has files of servers that have ended, and of other servers that
 * run.
 */
export class OutputFolder implements PastOutputs {
  /** Undefined if the user has no place for it. */
  readonly path: string | undefined;
  /** The files of ended servers that were read last, by the name of the process. */
  readonly #ready = new Map<string, readonly Segment[]>();

  /** The folder of the user whose variables these are. */
  static of(env: HostVariables): OutputFolder {
    const state = stateFolder(env);
    return new OutputFolder(state === undefined ? undefined : path.join(state, 'exec-sessions', 'output'));
  }

  /** @param folder Undefined if the user has no place for what programs keep; then there is no output. */
  constructor(folder: string | undefined) {
    this.path = folder;
  }

  /**
   * Makes the folder if it is missing.
   *
   * @returns its path.
   * @throws StartError if it cannot be made, others can look into it, or the user has no place for it.
   */
  make(): string {
    if (this.path === undefined) {
      throw new StartError(NO_PLACE);
    }
    ensurePrivateFolder(this.path);
    return this.path;
  }

  /** The files that are there, by process. */
  async list(): Promise<readonly FilesOfOne[]> {
    const folder = this.path;
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
      begunAt: Math.min(...parts.map(({ begunAt }) => begunAt)),
      writtenAt: Math.max(...parts.map(({ writtenAt }) => writtenAt)),
    }));
  }

  /**
   * The names of the processes whose files are open, so that more may be added. Empty where that cannot be known. Never
   * rejects.
   */
  async open(files: readonly FilesOfOne[]): Promise<ReadonlySet<string>> {
    const folder = await realpath(this.path ?? '').catch(() => undefined);
    const open = folder === undefined ? new Set<string>() : await openFilesIn(folder);
    return new Set(
      files
        .filter(({ paths }) => paths.some((file) => open.has(path.join(folder ?? '', path.basename(file)))))
        .map(({ name }) => name),
    );
  }

  async names(): Promise<ReadonlySet<string>> {
    return new Set((await this.list()).map(({ name }) => name));
  }

  /** Reads the output of a process that an ended server has left. */
  async read(name: string, options: KeptOptions): Promise<KeptOutput> {
    return readSegments(await this.#segmentsOf(name), options).catch(() => NOTHING_KEPT);
  }

  async through(name: string): Promise<PrintedAmount | undefined> {
    return (await this.#segmentsOf(name)).at(-1)?.through;
  }

  /** The number of the last output before a time, in milliseconds since 1970; 0 if all came later. */
  async seqBefore(name: string, time: number): Promise<number> {
    let before = 0;
    for (const segment of await this.#segmentsOf(name)) {
      const seq = await segment.seqBefore(time).catch(() => before);
      if (seq < segment.fromSeq) {
        break;
      }
      before = seq;
    }
    return before;
  }

  async #segmentsOf(name: string): Promise<readonly Segment[]> {
    const segments = this.#ready.get(name) ?? (await this.#load(name));
    this.#ready.delete(name);
    this.#ready.set(name, segments);
    const [oldest] = this.#ready.keys();
    if (this.#ready.size > MOST_READY && oldest !== undefined) {
      this.#ready.delete(oldest);
    }
    return segments;
  }

  async remove({ name, paths }: Pick<FilesOfOne, 'name' | 'paths'>): Promise<void> {
    this.#ready.delete(name);
    await Promise.all(paths.map((file) => rm(file, { force: true }).catch(() => undefined)));
  }

  /** Removes all files of some processes, by their names. */
  async removeOf(names: ReadonlySet<string>): Promise<void> {
    const files = (await this.list()).filter(({ name }) => names.has(name));
    await Promise.all(files.map((one) => this.remove(one)));
  }

  async #load(name: string): Promise<readonly Segment[]> {
    const { paths = [] } = (await this.list()).find((files) => files.name === name) ?? {};
    const segments = await Promise.all(paths.map((file) => Segment.load(file).catch(() => undefined)));
    return segments.flatMap((segment) => segment ?? []);
  }

  async #look(file: string, parts: { readonly name: string; readonly number: number }) {
    const found = await stat(file).catch(() => undefined);
    return (
      found && {
        ...parts,
        path: file,
        bytes: found.size,
        begunAt: found.birthtimeMs > 0 ? found.birthtimeMs : found.mtimeMs,
        writtenAt: found.mtimeMs,
      }
    );
  }
}
