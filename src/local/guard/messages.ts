import type { SessionIdentity } from '../posixSession.js';

/** What the guard is told, one line each: `+ 123:456` to watch a POSIX session as well, `= 123:456 789:` to watch these. */
export type GuardMessage =
  { readonly watch: SessionIdentity } | { readonly watchOnly: readonly SessionIdentity[] };

export function encodeMessage(message: GuardMessage): string {
  return 'watch' in message
    ? `+ ${encodeSession(message.watch)}\n`
    : `= ${message.watchOnly.map(encodeSession).join(' ')}\n`;
}

/** @returns undefined for a line that is none. */
export function decodeMessage(line: string): GuardMessage | undefined {
  const [, what, rest = ''] = /^([+=]) ((?:\d+:\d*(?: |$))*)$/.exec(line) ?? [];
  const sessions = rest.split(' ').filter(Boolean).map(decodeSession);
  if (what === '=') {
    return { watchOnly: sessions };
  }
  const [watch] = sessions;
  return what === '+' && watch !== undefined ? { watch } : undefined;
}

/** A session as the messages and the arguments of the guard's program name it: `123:` if nobody knows when it began. */
function encodeSession({ sid, startTime }: SessionIdentity): string {
  return `${sid}:${startTime ?? ''}`;
}

export function decodeSession(text: string): SessionIdentity {
  const [sid, startTime = ''] = text.split(':');
  return { sid: Number(sid), ...(startTime !== '' && { startTime }) };
}
