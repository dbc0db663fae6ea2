import { type ProcessLog, systemClock } from '../core/index.js';

/** Resolves when a process has exited, and after `limitMs` in any case. */
export function exitWithin(log: ProcessLog, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      timer.dispose();
      listening.dispose();
      resolve();
    };
    const timer = systemClock.after(limitMs, settle);
    const listening = log.onWake(() => {
      if (log.exit !== undefined) {
        settle();
      }
    });
  });
}
