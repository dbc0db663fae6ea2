import * as vscode from 'vscode';

import { plainJson } from '../../core/index.js';
import { codeBlock } from '../../sessions/words/index.js';

/**
 * The most characters of Markdown that a text may take. VS Code cuts a message after 100,000 characters without saying
 * so; the rest of the message takes few.
 */
const MOST_MARKDOWN = 80_000;
/**
 * The number of characters that are shown of each end of a text that is too long. The second number is tried if the
 * first makes too much Markdown, since {@link plainJson} may make twelve characters of one.
 */
const END_LENGTHS = [30_000, 3_000];
/**
 * The size of a block that can be seen without scrolling. A larger one gets a hint: without it, people would agree to
 * text that is out of sight.
 */
const LINES = 10;
const COLUMNS = 80;

/** A command as Markdown: a code block, with a hint before it if not all of it can be seen at once. */
export function shownCommand(command: string): string {
  return blockOf(command, (text) => text, 'sh');
}

/** Input as Markdown: each line of it on a line, in quotes, with invisible characters written out. */
export function shownInput(chars: string): string {
  return blockOf(
    chars,
    (text) =>
      text
        .split(/(?<=\n|\r(?!\n))/)
        .map(plainJson)
        .join('\n'),
    'json',
  );
}

function blockOf(text: string, show: (text: string) => string, language: string): string {
  const block = (part: string) => codeBlock(show(part), language);
  const whole = block(text);
  if (whole.length > MOST_MARKDOWN) {
    return bothEnds(Array.from(text), block);
  }
  const lines = text.split(/\r\n|[\r\n]/);
  const inSight = lines.length <= LINES && lines.every((line) => line.length <= COLUMNS);
  const hint = vscode.l10n.t(
    '**Scroll to see all of it** (lines: {0}, characters: {1}).',
    lines.length,
    text.length,
  );
  return inSight ? whole : `${hint}\n\n${whole}`;
}

function bothEnds(characters: readonly string[], block: (part: string) => string): string {
  const attempts = END_LENGTHS.map((length) => {
    const leftOut = characters.length - 2 * length;
    const ends = [characters.slice(0, length), characters.slice(-length)].map((end) => block(end.join('')));
    // In plain text only this separates the two blocks.
    return { leftOut, markdown: ends.join('\n\n…\n\n') };
  });
  const fitting = attempts.find(({ leftOut, markdown }) => leftOut > 0 && markdown.length <= MOST_MARKDOWN);
  const hint = vscode.l10n.t(
    '**Too long to be shown whole**: {0} of its {1} characters are left out between the two parts.',
    fitting?.leftOut ?? characters.length,
    characters.length,
  );
  return [hint, ...(fitting === undefined ? [] : [fitting.markdown])].join('\n\n');
}
