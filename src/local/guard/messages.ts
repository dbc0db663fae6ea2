import type { SessionIdentity } from '../posixSession.js';

/**
 * The messages to the guard, one a line: `+ 123:456` to watch one more POSIX session, `= 123:456 789:` to watch exactly
 * these.
 */
export type GuardMessage =
  { readonly watch: SessionIdentity } | { readonly watchOnly: readonly SessionIdentity[] };

export function encodeMessage(message: GuardMessage): string {
  return 'watch' in message
    ? `+ ${encodeSession(message.watch)}\n`
    : `= ${message.watchOnly.map(encodeSession).join(' ')}\n`;
}

/** @returns undefined for a line that is no message. */
export function decodeMessage(line: string): GuardMessage | undefined {
  const [, what, rest = ''] = /^([+=]) ((?:\d+:\d*(?: |$))*)$/.exec(line) ?? [];
  const sessions = rest.split(' ').filter(Boolean).map(decodeSession);
  if (what === '=') {
    return { watchOnly: sessions };
  }
  const [watch] = sessions;
  return what === '+' && watch !== undefined ? { watch } : undefined;
}

/**
 * A session as it stands in the messages and in the arguments of the guard's program: `123:` if its start time is
 * unknown.
 */
function encodeSession({ sid, startTime }: SessionIdentity): string {
  return `${sid}:${startTime ?? ''}`;
}

export function decodeSession(text: string): SessionIdentity {
  const [sid, startTime = ''] = text.split(':');
  return { sid: Number(sid), ...(startTime !== '' && { startTime }) };
}
