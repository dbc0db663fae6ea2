/**
 * Ctrl-C as terminals send it: by default, in kitty's keyboard protocol
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/), and with xterm's modifyOtherKeys.
 */
const FORMS = ['\u0003', '\u001b[99;5u', '\u001b[27;5;99~'] as const;

/** Longer input was pasted, in characters. */
const TYPED_LENGTH = 32;

/** Whether a person has typed Ctrl-C. */
export function isInterrupt(typed: string): boolean {
  return typed.length <= TYPED_LENGTH && FORMS.some((form) => typed.includes(form));
}
