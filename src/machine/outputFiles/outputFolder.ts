import { randomUUID } from 'node:crypto';
import { existsSync, type Stats, writeFileSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

import {
  type HostVariables,
  type KeptOptions,
  type KeptOutput,
  NOTHING_KEPT,
  type PastOutputs,
  type PrintedAmount,
} from '../../core/index.js';
import { stateFolder } from '../../local/index.js';
import { ensurePrivateFolder } from '../privateFolder.js';
import { readOwn } from '../readOwn.js';
import { ownerLine, ownerRunsIn } from '../runOwner.js';
import { NO_PLACE, StartError } from '../startError.js';
import { readSegments } from './readSegments.js';
import { Segment } from './segment.js';

/** The files of one process. */
export interface FilesOfOne {
  /** The run of the server that has written them. */
  readonly run: string;
  readonly name: string;
  /** Oldest first. */
  readonly paths: readonly string[];
  readonly bytes: number;
  /** The time of the last writing, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** The most processes whose files stay ready to be read. */
const MOST_READY = 4;
/** The names of files with output: the run, the name of the process, a number, and the ending. */
const OUTPUT_NAME = /^([0-9a-f-]{36})\.(.+)\.(\d+)\.output$/;
/** The names of the files that name the owners of runs. */
const OWNER_NAME = /^([0-9a-f-]{36})\.owner$/;

/**
 * The folder with the output of all processes. Each run of a server has files of its own here, named after the run. One
 * of them names the server, so that others know when it has ended.
 */
export class OutputFolder implements PastOutputs {
  /** Undefined if the user has no place for it. */
  readonly path: string | undefined;
  /** The run of this program, unique for ever. */
  readonly #run = randomUUID();
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
   * Makes the folder, and the file that names this program, where they are missing.
   *
   * @returns the path of the folder.
   * @throws StartError if it cannot be made, others can look into it, or the user has no place for it.
   */
  make(): string {
    if (this.path === undefined) {
      throw new StartError(NO_PLACE);
    }
    ensurePrivateFolder(this.path);
    const owner = this.#ownerFile(this.#run);
    if (!existsSync(owner)) {
      writeFileSync(owner, ownerLine(), { mode: 0o600 });
    }
    return this.path;
  }

  /**
   * The path of a new file for a process of this program.
   *
   * @throws Error like {@link make}.
   */
  fileFor(name: string, number: number): string {
    return path.join(this.make(), `${this.#run}.${name}.${number}.output`);
  }

  /** Tells the servers of other machines and containers that this one is there. Never rejects. */
  async sign(wallTime: number): Promise<void> {
    const time = new Date(wallTime);
    await utimes(this.#ownerFile(this.#run), time, time).catch(() => undefined);
  }

  /** The files that are there, by process. */
  async list(): Promise<readonly FilesOfOne[]> {
    const found = await Promise.all((await this.#fileNames()).map((file) => this.#look(file)));
    const byName = new Map<string, FilesOfOne>();
    for (const { run, name, file, bytes, writtenAt } of found
      .flatMap((one) => one ?? [])
      .sort((one, other) => one.number - other.number)) {
      const older = byName.get(name);
      byName.set(name, {
        run,
        name,
        paths: [...(older?.paths ?? []), file],
        bytes: (older?.bytes ?? 0) + bytes,
        writtenAt: Math.max(older?.writtenAt ?? 0, writtenAt),
      });
    }
    return [...byName.values()];
  }

  /**
   * The files of this server, and those of servers that have ended. The file that names an ended server goes with the
   * last of its output.
   *
   * @param wallTime Now, in milliseconds since 1970.
   */
  async listCounted(wallTime: number): Promise<readonly FilesOfOne[]> {
    const files = await this.list();
    const withOutput = new Set(files.map(({ run }) => run));
    const running = new Set<string>();
    for (const run of (await this.#fileNames()).flatMap((file) => OWNER_NAME.exec(file)?.[1] ?? [])) {
      if (run === this.#run) {
        continue;
      }
      if (this.#runs(run, wallTime)) {
        running.add(run);
      } else if (!withOutput.has(run)) {
        await rm(this.#ownerFile(run), { force: true }).catch(() => undefined);
      }
    }
    return files.filter(({ run }) => !running.has(run));
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

  async #fileNames(): Promise<readonly string[]> {
    return this.path === undefined ? [] : readdir(this.path).catch(() => []);
  }

  async #look(fileName: string) {
    const [, run, name, number] = OUTPUT_NAME.exec(fileName) ?? [];
    if (run === undefined || name === undefined) {
      return undefined;
    }
    const file = path.join(this.path ?? '', fileName);
    const found = await stat(file).catch(() => undefined);
    return found && { run, name, number: Number(number), file, bytes: found.size, writtenAt: found.mtimeMs };
  }

  #ownerFile(run: string): string {
    return path.join(this.path ?? '', `${run}.owner`);
  }

  /** Whether the server of a run is there, or may be. */
  #runs(run: string, wallTime: number): boolean {
    try {
      const look = (descriptor: number, { mtimeMs }: Stats) => ownerRunsIn(descriptor, wallTime - mtimeMs);
      return readOwn(this.#ownerFile(run), look) === true;
    } catch {
      return true;
    }
  }
}
