import { readFileSync } from 'node:fs';

/** Enough for ten starts at least. */
const MOST = 32;
/** Enough for one start. */
const LEAST = 3;
/** One pipe for this many descriptors that this process may have. Each pipe takes two. */
const DESCRIPTORS_A_PIPE = 32;

/**
 * The number of pipes to keep ready. It is small if descriptors are few, since connections and terminals need them as
 * well.
 *
 * @param limits The file with the limits of this process.
 */
export function readyPipes(limits = '/proc/self/limits'): number {
  const descriptors = Number(/^Max open files +(\d+)/m.exec(textOf(limits))?.[1] ?? Infinity);
  return Math.max(LEAST, Math.min(MOST, Math.floor(descriptors / DESCRIPTORS_A_PIPE)));
}

/** @returns an empty text if there is no such file. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
