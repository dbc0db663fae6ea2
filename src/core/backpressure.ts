/**
 * The effect of a subscriber on the pace of its process: a `slow` one holds the process back while no other is faster,
 * a `stalled` one no longer counts.
 */
export type SubscriberState = 'live' | 'slow' | 'stalled';

/**
 * Whether the child should stop producing: there are subscribers that count, and all of those are slow. While there is
 * no subscriber, or only stalled ones, the log takes everything and evicts what it cannot keep.
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
