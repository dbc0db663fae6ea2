/** A line without a line feed of its own may become this long before it is broken in front of an escape sequence. */
const BREAK_AFTER = 100;

const NAMES: Readonly<Record<string, string>> = {
  '\u001b': '\\e',
  '\r': '\\r',
  '\n': '\\n\n',
  '\t': '\\t',
  '\b': '\\b',
  '\u0007': '\\a',
  '\\': '\\\\',
};

/** Terminal text as a person can read it: control characters by name, and short lines. */
export function visibleText(text: string): string {
  let length = 0;
  let out = '';
  for (const character of text) {
    const shown = NAMES[character] ?? visibleCharacter(character);
    if (character === '\u001b' && length > BREAK_AFTER) {
      out += '\n';
      length = 0;
    }
    out += shown;
    length = character === '\n' ? 0 : length + shown.length;
  }
  return out;
}

function visibleCharacter(character: string): string {
  return /\p{Cc}|\p{Cf}|\p{M}/u.test(character)
    ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
    : character;
}
