import fs from 'node:fs';

import { systemClock, type Clock } from '../../src/core/clock.js';
import type { Disposable } from '../../src/core/events.js';

const LOOK_MS = 500;

/** Calls back once something has not grown for `limitMs`, counted from now. */
export function onSilence(
  size: () => number,
  limitMs: number,
  callback: () => void,
  clock: Clock = systemClock,
): Disposable {
  let known = size();
  let grewAt = clock.now();
  let timer: Disposable;
  const look = (): void => {
    const now = size();
    if (now !== known) {
      known = now;
      grewAt = clock.now();
    } else if (clock.now() - grewAt >= limitMs) {
      callback();
      return;
    }
    timer = clock.after(LOOK_MS, look);
  };
  timer = clock.after(LOOK_MS, look);
  return { dispose: () => timer.dispose() };
}

/** The size of a file in bytes; 0 while it is not there. */
export function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
