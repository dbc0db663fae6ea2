import { inspect } from 'node:util';

import type { Disposable } from '../../src/core/index.js';

/** Shorter than the limit of a test, in milliseconds, so that a failure says what the test has waited for. */
const LIMIT_MS = 60_000;

/** The shown length of the value that was seen last, in characters. */
const SHOWN = 2_000;

/**
 * Looks again and again until it sees the wanted value, or a value for which the wanted function says yes. Without
 * `wanted` it is any value that counts as true.
 *
 * @throws Error after `limitMs` with `look`, `wanted`, and the value that was seen last.
 */
export async function until<Seen>(
  look: () => Seen | Promise<Seen>,
  ...rest: readonly [] | readonly [wanted: Seen | ((seen: Seen) => boolean), limitMs?: number]
): Promise<void> {
  // To wait for undefined is not to wait for anything that counts as true.
  const [wanted, limitMs = LIMIT_MS] = rest.length === 0 ? [Boolean] : rest;
  const limit = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (isFunction(wanted) ? wanted(seen) : seen === wanted) return;
    if (performance.now() > limit) {
      const aim =
        wanted === Boolean ? '' : `, wanted: ${isFunction(wanted) ? wanted.toString() : shown(wanted)}`;
      throw new Error(`Waited ${limitMs / 1000} s for ${look.toString()}${aim}. Seen last: ${shown(seen)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Waits with the same limit for something that is told by an event. A failure does no harm if no caller awaits it.
 *
 * @param seen Shown in the error.
 * @param listen Begins to listen. Its `heard` starts the time anew.
 * @throws Error as {@link until} does, or the error that `fail` was called with.
 */
export function untilTold<Told>(
  wanted: string,
  seen: () => unknown,
  listen: (
    tell: (told: Told) => void,
    fail: (error: Error) => void,
    heard: () => void,
  ) => Disposable | undefined,
  limitMs = LIMIT_MS,
): Promise<Told> {
  const { stack = '' } = new Error();
  const told = new Promise<Told>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      listening?.dispose();
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    const timer = setTimeout(() => {
      const error = new Error(`Waited ${limitMs / 1000} s for ${wanted}. Seen last: ${shown(seen())}`);
      error.stack = stack.replace(/^Error/, `Error: ${error.message}`);
      fail(error);
    }, limitMs);
    timer.unref();
    const listening = listen(
      (value) => {
        end();
        resolve(value);
      },
      fail,
      () => timer.refresh(),
    );
  });
  told.catch(() => undefined);
  return told;
}

function isFunction<Seen>(wanted: Seen | ((seen: Seen) => boolean)): wanted is (seen: Seen) => boolean {
  return typeof wanted === 'function';
}

/** Its end, which is where output differs. */
function shown(value: unknown): string {
  const text = inspect(value, { maxStringLength: Infinity, depth: 4 });
  return text.length > SHOWN ? `…${text.slice(-SHOWN)}` : text;
}
