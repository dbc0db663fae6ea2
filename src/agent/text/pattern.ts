import { RE2JS } from 're2js';

import { messageOf } from '../../core/index.js';

/** Whether a pattern matches anything in a line. Takes time proportional to the line. */
export type LineTest = (line: string) => boolean;

/**
 * @param pattern A regular expression in the syntax of RE2.
 * @throws Error whose message says what is wrong with the pattern.
 */
export function lineTest(pattern: string, ignoreCase: boolean): LineTest {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`The pattern is no regular expression in RE2 syntax: ${why}`);
  }
  return (line) => compiled.matcher(line).find();
}
