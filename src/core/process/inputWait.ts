/**
 * The input that a session waits for, as the kernel tells: whether one of its programs reads it now.
 *
 * - `none`: nobody reads it.
 * - `line`: somebody reads a line from the terminal, which shows what is typed.
 * - `secret`: somebody reads a line that the terminal does not show.
 * - `keys`: somebody reads single keys: a menu, an editor, or a prompt that edits its line itself.
 * - `pipe`: somebody reads standard input, which is a pipe.
 */
export interface InputWait {
  readonly kind: 'none' | 'line' | 'secret' | 'keys' | 'pipe';
  /**
   * The text in front of the cursor, if it is a question: one line of at most {@link QUESTION_LENGTH} characters, in
   * the words of the program. Only with `line`.
   */
  readonly question?: string | undefined;
}

/** The longest question, in characters. */
export const QUESTION_LENGTH = 200;

/** Milliseconds of silence after which a session is looked at: three times, and then at the last interval. */
export const INPUT_LOOKS_MS = [500, 1_000, 2_000, 5_000] as const;
