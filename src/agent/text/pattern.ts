import { RE2JS } from 're2js';

import { messageOf } from '../../core/index.js';
import { PatternProgram } from './patternProgram.js';
import { estimatePatternSize } from './patternSize.js';

/**
 * The largest pattern, in instructions. To compile one takes under 100 ms, which cannot be interrupted, and its matcher
 * keeps so many possibilities for each character.
 */
const MAX_SIZE = 2_000;
/** The longest pattern, in UTF-16 units. */
const MAX_LENGTH = 2_000;
/**
 * The instructions times characters up to which the matcher of re2js is used, which is the faster one: at most some 8
 * ms.
 */
const AT_ONCE = 256 * 1024;

/** A regular expression in the syntax of RE2. Matching takes time proportional to the text. */
export class Pattern {
  readonly #compiled: RE2JS;
  #program: PatternProgram | undefined;

  /** @throws Error whose message says what is wrong with the pattern. */
  constructor(pattern: string, ignoreCase: boolean) {
    if (pattern.length > MAX_LENGTH) {
      throw new Error(
        `The pattern is too long: it has ${pattern.length} characters, and may have ${MAX_LENGTH}. Look for less.`,
      );
    }
    checkSize(estimatePatternSize(pattern));
    this.#compiled = compile(pattern, ignoreCase);
    checkSize(this.#compiled.programSize());
  }

  /** Whether the pattern matches anything in a text. One text at a time. */
  *matches(text: string): Generator<undefined, boolean> {
    if (this.#compiled.programSize() * text.length <= AT_ONCE) {
      return this.#compiled.matcher(text).find();
    }
    this.#program ??= new PatternProgram(this.#compiled);
    return yield* this.#program.matches(text);
  }
}

/** @throws Error */
function checkSize(instructions: number): void {
  if (instructions > MAX_SIZE) {
    throw new Error(
      `The pattern is too large: it compiles to more than ${MAX_SIZE} instructions. A counted repetition like {1000} is as large as if it were written out, and a class like \\p{L} counts as a hundred. Use + or * in place of a large count, or look for less.`,
    );
  }
}

/** @throws Error */
function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw new Error(`The pattern is no regular expression in RE2 syntax: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
