import type { InputMode } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { keySequence, keyText, MOST_KEYS } from '../input/keys.js';
import { ToolError } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';

const INTERRUPT = '\u0003';
export const END_OF_INPUT = '\u0004';
/** One line end behind something else or nothing: that of a line, not an empty line after one. */
const ONE_LINE_END = /(?<![\r\n])\n$/;

/** What a call types into a session. */
export interface TypedInput {
  readonly text: string;
  /** The length of the part that was given as characters; the keys come behind it. */
  readonly charsLength: number;
  readonly close: boolean;
  /** Whether it is Ctrl-C and nothing else. */
  readonly interrupts: boolean;
}

/** @throws ToolError if a key has a wrong name, or is none that the session has. */
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
async function keysFor(
  { cursorKeys }: AgentSession,
  keys: readonly string[],
  alone: boolean,
): Promise<string> {
  return cursorKeys === undefined ? keyText(keys, alone) : keySequence(keys, await cursorKeys.application());
}

/** Whether it is an empty line, which tells no secret. */
export function isEmptyLine({ text, close }: TypedInput): boolean {
  return (text === '\r' || text === '\n') && !close;
}

/**
 * Whether the characters end a line in a way that the program does not know: one that reads key by key gets what the
 * Enter key of a terminal sends, which is a carriage return.
 */
export function wantsEnter({ text, charsLength }: TypedInput, mode: InputMode | undefined): boolean {
  const keyByKey = mode?.canonical === false && mode.enterIsLineFeed === false;
  return keyByKey && ONE_LINE_END.test(text.slice(0, charsLength));
}

/** The text with Enter in place of the line feed at the end of its characters. */
export function withEnter({ text, charsLength }: TypedInput): string {
  return `${text.slice(0, charsLength - 1)}\r${text.slice(charsLength)}`;
}
