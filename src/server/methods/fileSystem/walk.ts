import type { BigIntStats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';

import { type ParamsOf, type ResultOf, uriFromPath } from '../../../protocol/index.js';
import { isOsError, osErrorText } from '../osErrors.js';
import { listDirectory } from './directories.js';
import { invalidRequest, pathOf } from './fileAnswers.js';
import { LOOKS_AT_ONCE, MAX_WALK } from './limits.js';

type Result = ResultOf<'fs/walk'>;
type Options = ParamsOf<'fs/walk'>['options'];

/**
 * Lists a directory and those below it, level by level.
 *
 * @throws WireError if the limits in the options are too large or zero; the reason of `signal` if that is aborted.
 */
export async function walk(params: ParamsOf<'fs/walk'>, signal: AbortSignal): Promise<Result> {
  const root = pathOf(params);
  const { options } = params;
  checkLimits(options);
  const stats = await look(root, true);
  const own = options.followDirectorySymlinks ? stats : await look(root, false);
  const walker = new Walker(options, signal);
  if (own.isDirectory()) {
    await walker.run(root, own);
  }
  return walker.result;
}

function checkLimits({ maxDepth, maxDirectories, maxEntries }: Options): void {
  if (maxDirectories === 0 || maxEntries === 0) {
    throw invalidRequest('filesystem walk limits must be greater than zero');
  }
  const { depth, directories, entries } = MAX_WALK;
  if (maxDepth > depth || maxDirectories > directories || maxEntries > entries) {
    const most = `depth=${depth}, directories=${directories}, entries=${entries}`;
    throw invalidRequest(`filesystem walk limits exceed maximums: ${most}`);
  }
}

function look(file: string, follow: boolean): Promise<BigIntStats> {
  return follow ? stat(file, { bigint: true }) : lstat(file, { bigint: true });
}

interface Found {
  readonly file: string;
  readonly name: string;
  readonly own: BigIntStats;
  /** The target of a link that is followed; else the same as `own`. */
  readonly stats: BigIntStats;
}

class Walker {
  readonly result: Result = { entries: [], errors: [], truncated: false };
  readonly #options: Options;
  readonly #signal: AbortSignal;
  readonly #queue: { readonly directory: string; readonly depth: number }[] = [];
  /** Directories that are or were in the queue, so that links lead to none of them twice. */
  readonly #known = new Set<string>();
  #seen = 0;

  constructor(options: Options, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async run(root: string, stats: BigIntStats): Promise<void> {
    this.#enqueue(root, 0, stats);
    // The loop also visits the directories that are queued while it runs.
    for (const { directory, depth } of this.#queue) {
      this.#signal.throwIfAborted();
      if (!(await this.#visit(directory, depth))) {
        this.result.truncated = true;
        return;
      }
    }
  }

  /** @returns false if there are more entries than may be listed. */
  async #visit(directory: string, depth: number): Promise<boolean> {
    const names = await this.#namesIn(directory);
    const allowed = names.slice(0, this.#options.maxEntries - this.#seen);
    this.#seen += allowed.length;
    for (let start = 0; start < allowed.length; start += LOOKS_AT_ONCE) {
      const batch = allowed.slice(start, start + LOOKS_AT_ONCE);
      const found = await Promise.all(batch.map((name) => this.#look(directory, name)));
      for (const entry of found) {
        if (entry !== undefined) {
          this.#take(entry, depth);
        }
      }
    }
    return allowed.length === names.length;
  }

  async #namesIn(directory: string): Promise<string[]> {
    try {
      const names = (await listDirectory(directory)).map(({ fileName }) => fileName);
      return names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    } catch (error) {
      this.#report(directory, error);
      return [];
    }
  }

  async #look(directory: string, name: string): Promise<Found | undefined> {
    const file = path.join(directory, name);
    try {
      const own = await look(file, false);
      const followed = own.isSymbolicLink() && this.#options.followDirectorySymlinks;
      return { file, name, own, stats: followed ? await look(file, true) : own };
    } catch (error) {
      this.#report(file, error);
      return undefined;
    }
  }

  #take({ file, name, own, stats }: Found, depth: number): void {
    if (stats.isDirectory()) {
      this.result.entries.push({ path: uriFromPath(file), kind: 'directory' });
      const pruned = this.#options.pruneHiddenDirectories && name.startsWith('.');
      if (!pruned && depth < this.#options.maxDepth) {
        this.#enqueue(file, depth + 1, stats);
      }
    } else if (own.isFile()) {
      this.result.entries.push({ path: uriFromPath(file), kind: 'file' });
    }
  }

  #enqueue(directory: string, depth: number, { dev, ino }: BigIntStats): void {
    const identity = `${dev}:${ino}`;
    if (this.#known.has(identity)) {
      return;
    }
    if (this.#known.size >= this.#options.maxDirectories) {
      this.result.truncated = true;
      return;
    }
    this.#known.add(identity);
    this.#queue.push({ directory, depth });
  }

  #report(file: string, error: unknown): void {
    if (!isOsError(error)) {
      throw error;
    }
    this.result.errors.push({ path: uriFromPath(file), message: osErrorText(error) });
  }
}
