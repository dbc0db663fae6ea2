import { randomInt } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { NumberOrigin, SessionNumbers } from '../core/index.js';
import { processNamespace } from './marks/processPlace.js';
import { startTimeOf, stillRuns } from './marks/processTable.js';
import { stateFolder } from './stateFolder.js';

/** How many numbers a program claims at once. Blocks keep the folder small, and a program's numbers close together. */
const BLOCK = 10;
/** The number of newest claims that are kept. */
const KEPT = 1_000;
/** A claim that is already this far below the newest one is given up: see {@link MachineNumbers}. */
const LATE = KEPT / 2;
/**
 * The first block of a new folder is a random one of these, so that a recreated folder does not begin like the last.
 */
const FIRST = { from: 100, to: 500 };
/** Names of claims. Longer names are not ours: no program claims so many. */
const CLAIM = /^\d{1,9}$/;

/** The numbers of programs that could not claim any: longer than others, and too many to meet by chance. */
const UNCLAIMED = { from: 100_000_000, to: 1_000_000_000 };

/**
 * Numbers that no other program of this user gives out. A program claims them in blocks; each claim is a file that only
 * one program can create. The next block follows the newest one, so numbers never come back, even if the clock is set
 * back. They stay short: ten more for each program, or for ten sessions.
 *
 * Old claims are removed, but never the newest ones. A program may be stopped between its look and its claim while a
 * thousand others claim theirs, and then claim a block that was removed. It therefore looks again after the claim, and
 * gives it up if it is late.
 *
 * Without a folder to write to (a sandbox), long random numbers take their place.
 */
export class MachineNumbers implements SessionNumbers {
  readonly #place: string | undefined;
  /** The blocks of this program, by number, with how many numbers of each were given out. */
  readonly #given = new Map<number, number>();
  #block: Promise<number | undefined> | undefined;

  /** @param folder The folder of the claims: one for all programs of the user, and it outlives them. */
  constructor(folder = claimsFolder()) {
    this.#place = folder;
  }

  /** The folder of the claims. Throws if the user has no place for them. */
  get #folder(): string {
    if (this.#place === undefined) {
      throw new Error('There is no home folder.');
    }
    return this.#place;
  }

  async next(): Promise<number> {
    this.#block ??= this.#claim().catch(() => undefined);
    const mine = this.#block;
    const block = await mine;
    if (block === undefined) {
      return randomInt(UNCLAIMED.from, UNCLAIMED.to);
    }
    const given = this.#given.get(block) ?? 0;
    if (given < BLOCK) {
      this.#given.set(block, given + 1);
      return block * BLOCK + given;
    }
    if (this.#block === mine) {
      this.#block = undefined;
    }
    return this.next();
  }

  originOf(number: number): NumberOrigin {
    const block = Math.floor(number / BLOCK);
    const given = this.#given.get(block);
    if (given !== undefined) {
      return { kind: number % BLOCK < given ? 'own' : 'unknown' };
    }
    try {
      const [pid, startTime, namespace] = readFileSync(this.#file(block), 'utf8').split(' ');
      if (namespace !== processNamespace()) {
        return { kind: 'elsewhere' };
      }
      const owner = { pid: Number(pid), startTime: startTime === '' ? undefined : startTime };
      return stillRuns(owner) ? { kind: 'running', pid: owner.pid } : { kind: 'ended' };
    } catch {
      return { kind: 'unknown' };
    }
  }

  async #claim(): Promise<number> {
    await makeFolder(this.#folder);
    const text = `${process.pid} ${startTimeOf(process.pid) ?? ''} ${processNamespace()}`;
    let block = ((await this.#newest()) ?? randomInt(FIRST.from, FIRST.to)) + 1;
    for (;;) {
      if (await this.#create(block, text)) {
        const newest = (await this.#newest()) ?? block;
        if (newest - block < LATE) {
          this.#removeBefore(newest - KEPT);
          return block;
        }
        await rm(this.#file(block), { force: true });
        block = newest;
      }
      block += 1;
    }
  }

  /** @returns false if another program has it. */
  async #create(block: number, text: string): Promise<boolean> {
    try {
      await writeFile(this.#file(block), text, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        return false;
      }
      throw error;
    }
  }

  async #newest(): Promise<number | undefined> {
    const claims = await this.#claims();
    return claims.length === 0 ? undefined : claims.reduce((one, other) => Math.max(one, other));
  }

  async #claims(): Promise<number[]> {
    return (await readdir(this.#folder)).filter((name) => CLAIM.test(name)).map(Number);
  }

  /** Runs in the background; no caller waits for it. Claims that it misses are removed the next time. */
  #removeBefore(first: number): void {
    const remove = async () => {
      const old = (await this.#claims()).filter((block) => block < first);
      await Promise.all(old.map((block) => rm(this.#file(block), { force: true })));
    };
    remove().catch(() => undefined);
  }

  #file(block: number): string {
    return path.join(this.#folder, String(block));
  }
}

/**
 * Makes a folder and those above it, one after the other. A recursive `mkdir` never ends if the system reports an
 * existing folder as missing (ENOENT in /proc, and below mounts that are made on use).
 */
async function makeFolder(folder: string): Promise<void> {
  const above: string[] = [];
  for (let next = folder; path.dirname(next) !== next; next = path.dirname(next)) {
    above.unshift(next);
  }
  for (const each of above) {
    // Folders that exist cannot be made. Other errors show when the claim is made.
    await mkdir(each, { mode: 0o700 }).catch(() => undefined);
  }
}

/** In the user's own folder for program state; a folder in memory would be empty after a restart of the machine. */
function claimsFolder(): string | undefined {
  const state = stateFolder(process.env);
  return state === undefined ? undefined : path.join(state, 'exec-sessions', 'session-numbers');
}
