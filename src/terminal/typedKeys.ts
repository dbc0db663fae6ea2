/**
 * A key in kitty's keyboard protocol (`CSI code : shifted : base ; modifiers : event ; text u`,
 * https://sw.kovidgoyal.net/kitty/keyboard-protocol/), or with xterm's modifyOtherKeys (`CSI 27 ; modifiers ; code ~`).
 */
const ENCODED =
  /\u001b\[(?:27;(?<otherModifiers>\d+);(?<otherCode>\d+)~|(?<code>\d+)(?::\d*(?::(?<base>\d+))?)?(?:;(?<modifiers>\d+)?(?::(?<event>\d+))?(?:;[\d:]*)?)?u)/g;

const CTRL = 4;
/** Caps Lock and Num Lock. */
const LOCKS = 64 | 128;
const RELEASE = '3';
/** Shift, Ctrl and the like by themselves, and the keys that lock. */
const isModifier = (code: number) => (code >= 57_441 && code <= 57_454) || (code >= 57_358 && code <= 57_360);

/** Ctrl-C typed by a person. Longer input was pasted, in characters. */
const TYPED_LENGTH = 64;

type Groups = Readonly<Record<string, string | undefined>>;

/** One key, or one character, of typed text. */
export interface TypedKey {
  /** The characters that the terminal has sent for it. */
  readonly sent: string;
  /**
   * The characters that every terminal sends for it where nothing else is asked for. They are empty for a key
   * that is let go, and for a modifier by itself; `sent` for any other key.
   */
  readonly meaning: string;
}

export function typedKeys(typed: string): readonly TypedKey[] {
  const keys: TypedKey[] = [];
  let at = 0;
  const others = (end: number) => {
    for (const sent of typed.slice(at, end)) {
      keys.push({ sent, meaning: sent });
    }
  };
  for (const { 0: sent, index, groups } of typed.matchAll(ENCODED)) {
    others(index);
    keys.push({ sent, meaning: meaningOf(groups) ?? sent });
    at = index + sent.length;
  }
  others(typed.length);
  return keys;
}

/** The same keys as {@link TypedKey.meaning}. */
export function plainKeys(typed: string): string {
  return typed.replace(
    ENCODED,
    (sent, ...rest: readonly unknown[]) => meaningOf(rest.at(-1) as Groups) ?? sent,
  );
}

/** Whether a person has typed Ctrl-C. */
export function isInterrupt(typed: string): boolean {
  return typed.length <= TYPED_LENGTH && plainKeys(typed).includes('\u0003');
}

/** @returns undefined for a key that has no such meaning. */
function meaningOf(parts: Groups = {}): string | undefined {
  const pressed = Number(parts['otherCode'] ?? parts['code']);
  // On a keyboard of another script, the key has the place of this one.
  const code = pressed > 0x7f && parts['base'] !== undefined ? Number(parts['base']) : pressed;
  const modifiers = (Number(parts['otherModifiers'] ?? parts['modifiers'] ?? 1) - 1) & ~LOCKS;
  if (parts['event'] === RELEASE || isModifier(pressed)) {
    return '';
  }
  if (modifiers === 0) {
    return pressed < 0x80 ? String.fromCharCode(pressed) : undefined;
  }
  const letter = (code >= 0x61 && code <= 0x7a) || (code >= 0x40 && code <= 0x5f);
  return modifiers === CTRL && letter ? String.fromCharCode(code & 0x1f) : undefined;
}
