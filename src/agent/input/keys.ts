import { ToolError } from '../toolError.js';

/**
 * The keys that agents can press, and the text that a terminal sends for each. The sequences are those of xterm
 * (terminfo `xterm-256color`): every program that reads a terminal knows them.
 */

/** The final characters of keys that are sent as `ESC O x` in application mode, and as `ESC [ x` otherwise. */
const CURSOR_KEYS = names({ up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' });
/** The final characters of keys that are always sent as `ESC O x`. */
const FIRST_FUNCTION_KEYS = names({ f1: 'P', f2: 'Q', f3: 'R', f4: 'S' });
/** The numbers of keys that are sent as `ESC [ n ~`. */
const NUMBERED_KEYS = names({
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
});
const CHARACTER_KEYS = names({
  enter: '\r',
  tab: '\t',
  escape: '\u001b',
  space: ' ',
  backspace: '\u007f',
});
/** Other usual names. */
const SYNONYMS = names({
  return: 'enter',
  esc: 'escape',
  del: 'delete',
  ins: 'insert',
  pgup: 'pageup',
  pgdn: 'pagedown',
  bspace: 'backspace',
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
});

/** The most keys of one call: people are shown all of them before they are pressed. */
export const MOST_KEYS = 64;

/** The names for models, as short as possible. */
export const KEY_NAMES =
  'Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, Delete, Enter, Tab, S-Tab, Escape, Space, Backspace, F1 to F12, C-a to C-z, or one character. M-x is Alt with x';

/** Ctrl-C and Ctrl-D, which stand for something else on a pipe. */
const PIPE_KEYS: ReadonlySet<string> = new Set(['\u0003', '\u0004']);

const MODIFIER = /^(?:(c|ctrl|control)|(m|alt|meta)|(s|shift))[-+](?=.)/iu;

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly control: boolean;
}

/**
 * The text that a terminal sends for these keys.
 *
 * @param application Whether its cursor keys are in application mode.
 * @throws ToolError that lists the names, if a key is unknown.
 */
export function keySequence(keys: readonly string[], application: boolean): string {
  return keys.map((key) => sequenceOf(key, application)).join('');
}

/**
 * The text that a pipe gets for these keys. Only keys that stand for text are sent; Enter ends a line. The caller sends
 * Ctrl-C alone as a signal.
 *
 * @param alone Whether nothing is sent before them.
 * @throws ToolError
 */
export function keyText(keys: readonly string[], alone: boolean): string {
  return keys
    .map((key) => {
      const sequence = sequenceOf(key, false);
      if (sequence === '\r') {
        return '\n';
      }
      const isText = sequence === '\t' || !/\p{Cc}/u.test(sequence);
      if (!isText && !(alone && keys.length === 1 && PIPE_KEYS.has(sequence))) {
        throw new ToolError(
          `Nothing was sent: the session has no terminal, and a pipe does not take the key ${JSON.stringify(key)}. It takes text, Enter, Tab and Space, or C-c alone as an interrupt; close=true ends the input. For other keys, start the command with tty=true.`,
        );
      }
      return sequence;
    })
    .join('');
}

function sequenceOf(key: string, application: boolean): string {
  const { name, ...modifiers } = split(key);
  const sequence = isOneCharacter(name)
    ? characterSequence(name, modifiers)
    : namedSequence(SYNONYMS.get(name.toLowerCase()) ?? name.toLowerCase(), modifiers, application);
  if (sequence === undefined) {
    throw new ToolError(
      `Nothing was sent: there is no key ${JSON.stringify(key.slice(0, 40))}. Keys are ${KEY_NAMES}. Longer text goes into chars.`,
    );
  }
  return sequence;
}

function split(key: string): Modifiers & { readonly name: string } {
  let name = key;
  let [shift, alt, control] = [false, false, false];
  for (let match = MODIFIER.exec(name); match !== null; match = MODIFIER.exec(name)) {
    control ||= match[1] !== undefined;
    alt ||= match[2] !== undefined;
    shift ||= match[3] !== undefined;
    name = name.slice(match[0].length);
  }
  return { name, shift, alt, control };
}

/** Invisible characters are not keys: people could not see them before they are pressed. */
function isOneCharacter(name: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}]$/u.test(name);
}

/** The text of a character with modifiers; undefined if no terminal sends such a key. */
function characterSequence(character: string, { shift, alt, control }: Modifiers): string | undefined {
  const typed = control ? controlCharacter(character) : character;
  // Shift and a letter is another letter.
  return shift || typed === undefined ? undefined : withAlt(typed, alt);
}

/** Ctrl with a letter, or with one of `@[\]^_` and the space, sends one of the first 32 characters. */
function controlCharacter(character: string): string | undefined {
  return /^[a-z@[\\\]^_ ]$/i.test(character)
    ? String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f)
    : undefined;
}

function namedSequence(name: string, modifiers: Modifiers, application: boolean): string | undefined {
  const { shift, alt, control } = modifiers;
  // As xterm counts them: 1 and the sum of shift (1), alt (2) and control (4).
  const number = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (control ? 4 : 0);
  const final = CURSOR_KEYS.get(name) ?? FIRST_FUNCTION_KEYS.get(name);
  if (final !== undefined) {
    const plain = application || FIRST_FUNCTION_KEYS.has(name) ? `\u001bO${final}` : `\u001b[${final}`;
    return number === 1 ? plain : `\u001b[1;${number}${final}`;
  }
  const numbered = NUMBERED_KEYS.get(name);
  if (numbered !== undefined) {
    return number === 1 ? `\u001b[${numbered}~` : `\u001b[${numbered};${number}~`;
  }
  if (name === 'tab' && shift && !control) {
    return withAlt('\u001b[Z', alt);
  }
  if (name === 'space' && control && !shift) {
    return withAlt('\u0000', alt);
  }
  const character = CHARACTER_KEYS.get(name);
  return shift || control || character === undefined ? undefined : withAlt(character, alt);
}

function withAlt(typed: string, alt: boolean): string {
  return alt ? `\u001b${typed}` : typed;
}

function names<V>(values: Readonly<Record<string, V>>): ReadonlyMap<string, V> {
  return new Map(Object.entries(values));
}
