/**
 * Ctrl-C as terminals send it, as they do for programs that asked for the keyboard protocol of kitty
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/), and for xterm's modifyOtherKeys.
 */
const FORMS = ['\u0003', '\u001b[99;5u', '\u001b[27;5;99~'] as const;

/** More than this is pasted, in characters. */
const TYPED_LENGTH = 32;

/** Whether somebody has typed Ctrl-C. */
export function isInterrupt(typed: string): boolean {
  return typed.length <= TYPED_LENGTH && FORMS.some((form) => typed.includes(form));
}
