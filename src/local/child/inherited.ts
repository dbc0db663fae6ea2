import { readFileSync } from 'node:fs';

import type { Inherited } from '../../core/index.js';

/** The names of limits in `/proc`, with their letters for `ulimit`, and the bytes of a unit there. */
const LIMITS: readonly (readonly [name: string, letter: string, unit: number])[] = [
  ['Max cpu time', 't', 1],
  ['Max file size', 'f', 1024],
  ['Max data size', 'd', 1024],
  ['Max stack size', 's', 1024],
  ['Max core file size', 'c', 1024],
  ['Max processes', 'u', 1],
  ['Max open files', 'n', 1],
  ['Max locked memory', 'l', 1024],
  ['Max address space', 'v', 1024],
];

/**
 * Looks up the umask and the limits that children of this process inherit.
 *
 * @returns undefined on systems that do not tell.
 */
export function ownInherited(): Inherited | undefined {
  try {
    const [, umask] = /^Umask:\s*(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return umask === undefined ? undefined : { umask: Number.parseInt(umask, 8), hardLimits: ownLimits() };
  } catch {
    return undefined;
  }
}

function ownLimits(): Inherited['hardLimits'] {
  const limits: Record<string, number | null> = {};
  const text = readFileSync('/proc/self/limits', 'utf8');
  for (const [name, letter, unit] of LIMITS) {
    const [, hard] = new RegExp(`^${name} +\\S+ +(\\S+)`, 'm').exec(text) ?? [];
    if (hard !== undefined) {
      limits[letter] = hard === 'unlimited' ? null : Math.floor(Number(hard) / unit);
    }
  }
  return limits;
}

/**
 * The commands by which a shell gives a program the umask and the limits of another process. Limits above our own stay
 * ours.
 *
 * @param own The same of this process. @returns no commands if nothing differs.
 */
export function shellLinesFor(wanted: Inherited, own: Inherited): readonly string[] {
  const limits = LIMITS.flatMap(([, letter]) => {
    const limit = wanted.hardLimits[letter] ?? Infinity;
    // The soft limit cannot stay above it. Where a shell has no such option, there is no such limit.
    const set = `-${letter} ${limit} 2>/dev/null`;
    return limit < (own.hardLimits[letter] ?? Infinity) ? [`ulimit -H ${set} || ulimit ${set}`] : [];
  });
  return wanted.umask === own.umask ? limits : [`umask ${(wanted.umask & 0o777).toString(8)}`, ...limits];
}
