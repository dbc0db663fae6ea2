/**
 * The effect of a subscriber on the pace of its process. A `slow` one holds the process back unless another one is
 * faster; a `stalled` one no longer counts.
 */
export type SubscriberState = 'live' | 'slow' | 'stalled';

/**
 * Whether the child should stop producing: some subscribers count, and all of those are slow. Without a subscriber, or
 * with stalled ones only, the log takes everything and evicts what it cannot keep.
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
