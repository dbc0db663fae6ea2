import { setTimeout as delay } from 'node:timers/promises';

import type { Cable, Direction } from '../../support/cable.js';
import { Random } from '../../support/random.js';

/** One cut of a cable. Times are milliseconds. */
export type Cut =
  /** Both sides notice at once, and the cable is back at once. */
  | { readonly kind: 'both'; readonly afterMs: number }
  /** A cut after some bytes: in the middle of a message, of a handshake, or of the output that is read after it. */
  | { readonly kind: 'bytes'; readonly bytes: number; readonly direction: Direction }
  /** The server does not listen for a while. */
  | { readonly kind: 'away'; readonly afterMs: number; readonly forMs: number }
  /** Nothing comes through for a while before both sides notice. */
  | { readonly kind: 'silence'; readonly afterMs: number; readonly forMs: number }
  /** One side notices, and the other one later. */
  | {
      readonly kind: 'half';
      readonly afterMs: number;
      readonly first: 'client' | 'server';
      readonly forMs: number;
    }
  /** Only the client notices: the server has to find out by itself. */
  | { readonly kind: 'unnoticed'; readonly afterMs: number };

/** Plans cuts, always the same for a seed. */
export function forecast(
  seed: number,
  count: number,
  kinds: readonly [Cut['kind'], ...Cut['kind'][]],
): Cut[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => plan(random.of(kinds), random));
}

function plan(kind: Cut['kind'], random: Random): Cut {
  const afterMs = random.between(0, 600);
  const forMs = random.between(50, 900);
  switch (kind) {
    case 'both':
    case 'unnoticed':
      return { kind, afterMs };
    case 'bytes': {
      // A handshake has some hundred bytes, and reading what was missed some ten thousand.
      const direction = random.of<Direction>(['toClient', 'toServer']);
      const most = random.of(direction === 'toClient' ? [0, 900, 60_000] : [0, 300, 2_000]);
      return { kind, direction, bytes: random.between(0, most) };
    }
    case 'away':
    case 'silence':
      return { kind, afterMs, forMs };
    case 'half':
      return { kind, afterMs, forMs, first: random.of(['client', 'server']) };
  }
}

/** Cuts a cable as planned, one cut after the other, and leaves it whole. */
export async function storm(cable: Cable, cuts: readonly Cut[]): Promise<void> {
  for (const cut of cuts) await perform(cable, cut);
}

async function perform(cable: Cable, cut: Cut): Promise<void> {
  if (cut.kind === 'bytes') {
    await cable.cutAfter(cut.bytes, cut.direction);
    return;
  }
  await delay(cut.afterMs);
  switch (cut.kind) {
    case 'both':
      cable.cut();
      break;
    case 'away':
      cable.refuse();
      cable.cut();
      await delay(cut.forMs);
      await cable.accept();
      break;
    case 'silence':
      cable.block();
      await delay(cut.forMs);
      cable.cut();
      cable.unblock();
      break;
    case 'half':
      cable.cut(cut.first);
      await delay(cut.forMs);
      cable.cut();
      break;
    case 'unnoticed':
      cable.cut('client');
      break;
  }
}
