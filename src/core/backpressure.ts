/** What a subscriber is to its process: `slow` holds it back while nobody is faster, `stalled` no longer counts. */
export type SubscriberState = 'live' | 'slow' | 'stalled';

/**
 * Whether the child should stop producing. It does while somebody who still counts reads, and all of those are slow.
 * Nobody there, or only stalled ones: the log takes everything and evicts what it cannot keep.
 */
export function shouldPause(states: Iterable<SubscriberState>): boolean {
  let counted = 0;
  for (const state of states) {
    if (state === 'live') {
      return false;
    }
    if (state === 'slow') {
      counted += 1;
    }
  }
  return counted > 0;
}
