/** Characters that would break a line, or make one read otherwise than it is: controls, and direction marks. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text of others on one line, with nothing in it that hides or reorders what it says. */
export function oneLine(text: string): string {
  return text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
}

/** Cuts what is longer than `length` characters, and says so with an ellipsis. */
export function shorten(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

const NAME_LENGTH = 60;

/** How a session is called inside a message: short, and never a link, which messages would make of `[a](b)`. */
export function nameInMessage(text: string): string {
  return shorten(oneLine(text), NAME_LENGTH).replaceAll('](', '] (');
}

const ICON = /\\?\$\([\w-]+(?:~[\w-]+)?\)/g;

/** Keeps pickers from drawing `$(date)` as an icon. */
export function withoutIcons(text: string): string {
  return text.replace(ICON, (match) => (match.startsWith('\\') ? match : `\\${match}`));
}

/** Markdown that shows `text` as it is, inline. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]()#+\-.!~|<>$:/@]/g, (character) => `\\${character}`)
    .replaceAll('&', '&amp;');
}

/** A block of code that nothing in `text` can end. */
export function codeBlock(text: string, language = ''): string {
  const longestFence = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longestFence + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
