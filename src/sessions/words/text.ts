import { oneLine, shorten, UNSEEN } from '../../core/index.js';

/**
 * Text from outside with its line breaks and tabs. A replacement character stands for every other character that is
 * invisible or reorders the text.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'));
}

const NAME_LENGTH = 60;
/** The longest message that VS Code shows, in characters. */
const MESSAGE_LENGTH = 1_000;

/** A session's name for use inside a message. It is short and never a link, which messages would make of `[a](b)`. */
export function nameInMessage(text: string): string {
  return shorten(oneLine(text), NAME_LENGTH).replaceAll('](', '] (');
}

/**
 * A message that is safe to show: on one line and without links. VS Code makes a link of `[a](command:b)` and would run
 * the command. Reasons come from servers, and values from the settings of a workspace that may not be trusted.
 */
export function dialogText(text: string): string {
  return shorten(oneLine(text).replaceAll('](', '] ('), MESSAGE_LENGTH);
}

const ICON = /\\?\$\([\w-]+(?:~[\w-]+)?\)/g;

/** Keeps pickers and the status bar from drawing `$(date)` as an icon. */
export function withoutIcons(text: string): string {
  return text.replace(ICON, (match) => (match.startsWith('\\') ? match : `\\${match}`));
}

/**
 * Keeps the tabs of terminals from drawing `$(date)` as an icon. Some places that show a terminal's name know no icons,
 * and would show the backslash of {@link withoutIcons}; a zero-width space is invisible everywhere.
 */
export function terminalName(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** Markdown that shows `text` literally, inline. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]()#+\-.!~|<>$:/@]/g, (character) => `\\${character}`)
    .replaceAll('&', '&amp;');
}

/**
 * A Markdown code block that shows `source` literally, apart from {@link visible}'s marks. Its fence is longer than any
 * inside, so nothing in `source` can end the block.
 */
export function codeBlock(source: string, language = ''): string {
  const text = visible(source);
  const longestFence = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longestFence + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
