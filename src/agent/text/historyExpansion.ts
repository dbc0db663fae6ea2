/**
 * Events of a shell's history, such as `!!`, `!-2`, `!make`, `!?test?` and `!$`, with their word designators. Not
 * `!=`, `!(` and a `!` before a blank, which shells leave alone.
 */
const EVENT = /(?<!\\)!(?:!|-?\d+|\?[^?\s]+\??|[$^*:][^\s;|&]*|[\w./][^\s;|&]*)(?::[^\s;|&]*|[$^*])*/g;
/** `^old^new`, which repeats the last command with a change. */
const QUICK = /^\^[^^]+\^([^^]*)/;

/**
 * What a shell shows once it has read a line with references to its history: the line that it makes of them, which it then
 * runs. The history may be older than the session, so any text may stand in for most of them.
 *
 * @param typed A typed line.
 * @returns undefined if it refers to nothing.
 */
export function expansionOf(typed: string): RegExp | undefined {
  const quick = QUICK.exec(typed);
  if (quick !== null) {
    return new RegExp(`^.*${quoted(quick[1] ?? '')}`, 'su');
  }
  let source = '';
  let from = 0;
  for (const event of typed.matchAll(EVENT)) {
    source += `${quoted(typed.slice(from, event.index))}${quoted(beginningOf(event[0]))}.*`;
    from = event.index + event[0].length;
  }
  return from === 0 ? undefined : new RegExp(`^${source}${quoted(typed.slice(from))}$`, 'su');
}

/** What the text begins with that takes the place of an event: `!make` stands for a command that begins so. */
function beginningOf(event: string): string {
  return /^!([a-z_./][\w./-]*)/i.exec(event)?.[1] ?? '';
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
