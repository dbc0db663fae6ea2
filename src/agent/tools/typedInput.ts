import type { InputMode } from '../../core/index.js';

import {
  APPLICATION_CURSOR_KEYS,
  BRACKETED_PASTE,
  hasLines,
  modesNow,
  typedParts,
} from '../../terminal/index.js';
import type { AgentSession } from '../session/agentSession.js';
import { keySequence, keyText, MOST_KEYS } from '../input/keys.js';
import { ToolError } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';

const INTERRUPT = '\u0003';
export const END_OF_INPUT = '\u0004';
/** A single line feed at the end that ends a line of text. After another line end it would be an empty line. */
const ONE_LINE_END = /(?<![\r\n])\n$/;

/** The input that a call types into a session. */
export interface TypedInput {
  readonly text: string;
  /** The length of the part that was given as characters. The keys come after it. */
  readonly charsLength: number;
  readonly close: boolean;
  /** Whether it is Ctrl-C and nothing else. */
  readonly interrupts: boolean;
}

/** @throws ToolError if a key has a wrong name, or if the session does not have this key. */
export async function typedInput(
  session: AgentSession,
  { chars, keys = [], close }: ToolInput<'write_stdin'>,
): Promise<TypedInput> {
  if (keys.length > MOST_KEYS) {
    throw new ToolError(
      `Nothing was sent: a call takes at most ${MOST_KEYS} keys, not ${keys.length}. Text goes into chars.`,
      session.id,
    );
  }
  const text = chars + (keys.length === 0 ? '' : await keysFor(session, keys, chars === ''));
  return { text, charsLength: chars.length, close, interrupts: text === INTERRUPT };
}

/** @param alone Whether no characters are sent before them. */
async function keysFor({ hosted }: AgentSession, keys: readonly string[], alone: boolean): Promise<string> {
  const { process } = hosted;
  return process.info().tty
    ? keySequence(keys, (await modesNow(process)).isOn(APPLICATION_CURSOR_KEYS))
    : keyText(keys, alone);
}

/** The parts in which a terminal's program gets it, with quiet in between. */
export async function partsOf(
  { hosted: { process } }: AgentSession,
  { text, charsLength }: TypedInput,
  mode: InputMode | undefined,
): Promise<readonly [string, ...string[]]> {
  const chars = text.slice(0, charsLength);
  if (!process.info().tty || !hasLines(chars)) {
    return [text];
  }
  const parts = typedParts(chars, mode, (await modesNow(process)).isOn(BRACKETED_PASTE));
  const keys = text.slice(charsLength);
  return parts[0] === chars ? [text] : keys === '' ? parts : [...parts, keys];
}

/** Whether it is an empty line, which cannot be a secret. */
export function isEmptyLine({ text, close }: TypedInput): boolean {
  return (text === '\r' || text === '\n') && !close;
}

/**
 * Whether the program does not know the line end of the characters. A program that reads key by key expects the
 * carriage return of the Enter key.
 */
export function wantsEnter({ text, charsLength }: TypedInput, mode: InputMode | undefined): boolean {
  const keyByKey = mode?.canonical === false && mode.enterIsLineFeed === false;
  return keyByKey && ONE_LINE_END.test(text.slice(0, charsLength));
}

/** The text with Enter in place of the line feed at the end of its characters. */
export function withEnter({ text, charsLength }: TypedInput): string {
  return `${text.slice(0, charsLength - 1)}\r${text.slice(charsLength)}`;
}
