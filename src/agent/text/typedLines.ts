const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs;
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f]/g;
/** Ctrl-C ends the line that it is pressed in. */
const INTERRUPTS = /\u0003/g;
/** Stands for a key that is no character. */
const KEY = '\u0000';
/** A key that is no character, and Tab, which may complete a word. */
const EDITS = /[\u0000\t]/;

/**
 * The lines that the echo of a text shows; the last one is empty behind a line end. Keys that are no characters show
 * nothing, but what was typed before them may have been changed.
 */
export function typedLines(text: string): readonly { readonly text: string; readonly edited: boolean }[] {
  return text
    .replace(INTERRUPTS, `${KEY}\n`)
    .replace(SEQUENCES, KEY)
    .replace(CONTROLS, KEY)
    .split(/[\r\n\v\f]+/)
    .map((line) => ({ text: line.replaceAll(KEY, ''), edited: EDITS.test(line) }));
}

/**
 * A line in a form in which tabs, blanks at its end, and blanks before wide characters make no difference: readline
 * fills a row with a blank when a wide character does not fit.
 */
export function comparable(line: string): string {
  return line
    .replace(/\s+(?=[\u1100-\u{3fffd}])/gu, '')
    .replace(/\s+/g, ' ')
    .trimEnd();
}

/** What stands before a typed line, without the keys that a terminal shows, such as `^C`. */
export function withoutCarets(prompt: string): string {
  return /^(?:\^[@-_?])+$/.test(prompt) ? '' : prompt;
}

/** A prompt in a form in which its numbers make no difference: many count. */
export function promptForm(prompt: string): string {
  return comparable(prompt).replace(/\d+/g, '0');
}

/** A line that ends with what was typed, behind the end of a question. */
const BEHIND_QUESTION = /[:?]\s*$/;

/**
 * Whether a line looks like a question with its answer behind it, where the answer is a line that was typed. It may be
 * an echo that nothing marks: Python shows what was typed ahead of `input()` in this way. A program that prints the same
 * cannot be told from it.
 */
export function looksAnswered(line: string, texts: readonly string[]): boolean {
  const shown = comparable(line);
  return texts.some((text) =>
    typedLines(text).some(({ text: typed }) => {
      const answer = comparable(typed);
      const isAnswer = answer.trim() !== '' && shown.endsWith(answer);
      return isAnswer && BEHIND_QUESTION.test(shown.slice(0, shown.length - answer.length));
    }),
  );
}
