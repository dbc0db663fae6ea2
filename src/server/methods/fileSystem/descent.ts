import { stat } from 'node:fs/promises';

import { WireCode, WireError } from '../../../protocol/index.js';
import { PLACES_AT_ONCE } from './limits.js';
import { openPlace, type Place } from './noFollow.js';

/** Tells a directory from all others for as long as it exists. */
interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * The way down into directories, from one open directory to the next. Only the lowest ones stay open, so that any depth
 * is possible with few descriptors. The others are found again from below, and known by their identity.
 */
export class Descent {
  /** The directories on the way, the lowest one last. That is always open. */
  readonly #levels: (Place | Identity)[] = [];

  /** The path of the lowest directory, in bytes. */
  get here(): Buffer {
    return Buffer.from(this.#lowest().path);
  }

  /** @throws An error of the system, for example `ENOTDIR` for a link. */
  async enter(directory: string | Buffer): Promise<void> {
    this.#levels.push(await openPlace(directory));
    const index = this.#levels.length - 1 - PLACES_AT_ONCE;
    const upper = this.#levels[index];
    if (upper !== undefined && isOpen(upper)) {
      this.#levels[index] = await identify(upper);
      await upper.close();
    }
  }

  /**
   * Goes back to the directory above.
   *
   * @throws WireError if that is another one than on the way down.
   */
  async leave(): Promise<void> {
    const left = this.#lowest();
    const index = this.#levels.length - 2;
    const upper = this.#levels[index];
    if (upper !== undefined && !isOpen(upper)) {
      this.#levels[index] = await above(left, upper);
    }
    this.#levels.pop();
    await left.close();
  }

  /** Closes all directories. */
  async end(): Promise<void> {
    for (const level of this.#levels.splice(0).filter(isOpen)) {
      await level.close();
    }
  }

  #lowest(): Place {
    const lowest = this.#levels.at(-1);
    if (lowest === undefined || !isOpen(lowest)) {
      throw new Error('There is no directory.');
    }
    return lowest;
  }
}

function isOpen(level: Place | Identity): level is Place {
  return 'path' in level;
}

async function identify({ path }: Place): Promise<Identity> {
  const { dev, ino } = await stat(path, { bigint: true });
  return { dev, ino };
}

async function above(place: Place, expected: Identity): Promise<Place> {
  const found = await openPlace(`${place.path}/..`);
  try {
    const { dev, ino } = await identify(found);
    if (dev === expected.dev && ino === expected.ino) {
      return found;
    }
  } catch (error) {
    await found.close();
    throw error;
  }
  await found.close();
  throw new WireError(WireCode.internal, 'a directory was moved while it was being removed: try again');
}
