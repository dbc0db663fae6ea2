import type { SessionIdentity } from '../posixSession.js';

/**
 * What a process can be recognized by of which the host does not know the number yet: a pipe that is open in no other
 * process once the host has ended; or a terminal, and the time since when there has been one, in ticks since the boot.
 */
export type ForkSign = { readonly pipe: number } | { readonly terminalSince: number };

/**
 * The messages to the guard, one a line: `+ 123:456` to watch one more POSIX session, `= 123:456 789:` to watch exactly
 * these, `? pipe:123` or `? terminal:456` before a fork, which the next message is the result of, `?` if there was none;
 * `! /path` names the file that says what the guard has stopped.
 */
export type GuardMessage =
  | { readonly watch: SessionIdentity }
  | { readonly watchOnly: readonly SessionIdentity[] }
  | { readonly expect: ForkSign | undefined }
  | { readonly reportTo: string };

export function encodeMessage(message: GuardMessage): string {
  if ('watch' in message) {
    return `+ ${encodeSession(message.watch)}\n`;
  }
  if ('watchOnly' in message) {
    return `= ${encodeSessions(message.watchOnly)}\n`;
  }
  if ('reportTo' in message) {
    return `! ${message.reportTo}\n`;
  }
  return message.expect === undefined ? '?\n' : `? ${encodeSign(message.expect)}\n`;
}

/** @returns undefined for a line that is no message. */
export function decodeMessage(line: string): GuardMessage | undefined {
  if (line.startsWith('?')) {
    return { expect: decodeSign(line.slice(1).trim()) };
  }
  const [, reportTo] = /^! (.+)$/.exec(line) ?? [];
  if (reportTo !== undefined) {
    return { reportTo };
  }
  const [, what, rest = ''] = /^([+=]) ((?:\d+:\d*(?: |$))*)$/.exec(line) ?? [];
  const sessions = rest.split(' ').filter(Boolean).map(decodeSession);
  if (what === '=') {
    return { watchOnly: sessions };
  }
  const [watch] = sessions;
  return what === '+' && watch !== undefined ? { watch } : undefined;
}

/** Sessions as they stand in a message. */
export function encodeSessions(sessions: readonly SessionIdentity[]): string {
  return sessions.map(encodeSession).join(' ');
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

function encodeSign(sign: ForkSign): string {
  return 'pipe' in sign ? `pipe:${sign.pipe}` : `terminal:${sign.terminalSince}`;
}

/** @returns undefined for a text that is no sign. */
export function decodeSign(text: string): ForkSign | undefined {
  const [, kind, number] = /^(pipe|terminal):(\d+)$/.exec(text) ?? [];
  if (kind === undefined) {
    return undefined;
  }
  return kind === 'pipe' ? { pipe: Number(number) } : { terminalSince: Number(number) };
}
