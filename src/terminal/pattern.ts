import { RE2JS } from 're2js';

import { aroundMatches, messageOf } from '../core/index.js';

/** The largest pattern, in instructions. */
const MAX_SIZE = 1_024;
/** The instructions times characters that one line may take: 30 to 60 ms, which cannot be interrupted. */
const MAX_WORK = 1_024 * 1_024;
/** The largest estimate for which a pattern is compiled: that takes under 100 ms, which cannot be interrupted. */
const MAX_ESTIMATE = 10_000;
/** The largest repetition that RE2 takes, repetitions in repetitions included. */
const MAX_TIMES = 1_000;

const REPETITIONS = /(\)?)\{(\d+)(?:,(\d*))?\}/g;
/** Classes of Unicode, and ranges that end beyond ASCII: to compile one takes as long as so many instructions. */
const WIDE_CLASSES = /\\[pP]|-(?:\\x|[^\0-\u007f])/g;
const WIDE_CLASS_SIZE = 500;

/** A regular expression in the syntax of RE2. Matching takes time proportional to the text. */
export class Pattern {
  readonly #compiled: RE2JS;
  /** The length of the beginning of a line that is compared, in UTF-16 units. */
  readonly reach: number;

  /** @throws Error whose message says what is wrong with the pattern. */
  constructor(pattern: string, ignoreCase: boolean) {
    checkSize(estimatedSize(pattern), MAX_ESTIMATE);
    this.#compiled = compile(pattern, ignoreCase);
    const size = this.#compiled.programSize();
    checkSize(size, MAX_SIZE);
    this.reach = Math.floor(MAX_WORK / size);
  }

  /** Whether the pattern matches anything in the beginning of a line. */
  matches(line: string): boolean {
    return this.#compiled.matcher(line.slice(0, this.reach)).find();
  }

  /** A line that matches, cut to about `length` characters around its matches. */
  around(line: string, length: number): string {
    const matcher = this.#compiled.matcher(line.slice(0, this.reach));
    const find = (from: number) =>
      from <= this.reach && matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    return aroundMatches(line, find, length);
  }
}

/**
 * An estimate of the instructions of the compiled pattern, never too low. A repeated part is compiled once for each
 * repetition.
 */
export function estimatedSize(pattern: string): number {
  // Each program fails and matches, beside its pattern.
  let size = 2 + 2 * pattern.length;
  let times = 1;
  for (const [, group, least, most] of pattern.matchAll(REPETITIONS)) {
    const count = Math.min(MAX_TIMES, Math.max(1, Number(least), Number(most ?? 0)));
    if (group === ')') {
      // A group counts as the whole pattern.
      times = Math.min(MAX_TIMES, times * (count + 1));
    } else {
      size += 2 * count;
    }
  }
  return size * times + WIDE_CLASS_SIZE * (pattern.match(WIDE_CLASSES)?.length ?? 0);
}

/** @throws Error */
function checkSize(size: number, most: number): void {
  if (size > most) {
    throw new Error(
      `The pattern is too large: it may compile to more than ${MAX_SIZE} instructions. A counted repetition like {1000} is as large as if it were written out. Use + or * in place of a large count and of \\p{L}, or look for less.`,
    );
  }
}

/** @throws Error */
function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw new Error(`The pattern is not a regular expression in RE2 syntax: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
