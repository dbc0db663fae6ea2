/**
 * Characters that nobody sees, or that make a line read otherwise than it is: controls, ends of lines, direction marks,
 * and all that is drawn as nothing; not what joins and varies emoji and letters.
 */
const UNSEEN = /(?![\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of others on one line, with nothing in it that hides or reorders what it says. */
export function oneLine(text: string): string {
  return text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
}

/** Text of others as it is, but what nobody sees, or what reorders it, as a mark. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'));
}

/** Text of others between quotes, on one line, with what nobody sees, or what reorders it, written out: `"\u0003"`. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Cuts what is longer than `length` characters, and says so with an ellipsis. */
export function shorten(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

const NAME_LENGTH = 60;
/** VS Code shows no more of one. */
const MESSAGE_LENGTH = 1_000;

/** How a session is called inside a message: short, and never a link, which messages would make of `[a](b)`. */
export function nameInMessage(text: string): string {
  return shorten(oneLine(text), NAME_LENGTH).replaceAll('](', '] (');
}

/**
 * A message as it may be shown: on one line, and never with a link, which VS Code makes of `[a](command:b)` and would run.
 * Reasons come from servers, and values from settings of a workspace that nobody may vouch for.
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
 * Keeps the tabs of terminals from drawing `$(date)` as an icon. Some of the places that show the name of a terminal know
 * no icons, and would show the backslash of {@link withoutIcons}; a space without width is seen nowhere.
 */
export function terminalName(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

/** Markdown that shows `text` as it is, inline. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]()#+\-.!~|<>$:/@]/g, (character) => `\\${character}`)
    .replaceAll('&', '&amp;');
}

/** A block of code that nothing in `text` can end, and that reads as it is. */
export function codeBlock(source: string, language = ''): string {
  const text = visible(source);
  const longestFence = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longestFence + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
