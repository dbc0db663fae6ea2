import type { SessionIdentity } from '../stop/posixSession.js';

/**
 * Identifies a forked process before the host knows its number. A pipe is open in no other process once the host has
 * ended. A terminal is new since a time, in ticks since the boot.
 */
export type ForkSign = { readonly pipe: number } | { readonly terminalSince: number };

/**
 * The messages to the guard, one a line:
 *
 * - `+ 123:456` watches one more POSIX session;
 * - `= 123:456 789:` watches exactly these;
 * - `? pipe:123` or `? terminal:456` announces a fork, whose result is in the next message;
 * - `?` says that there was no fork;
 * - `! /path` names the file that lists what the guard has stopped;
 * - `~ /path` names the notes of the host's sandboxes.
 */
export type GuardMessage =
  | { readonly watch: SessionIdentity }
  | { readonly watchOnly: readonly SessionIdentity[] }
  | { readonly expect: ForkSign | undefined }
  | { readonly reportTo: string }
  | { readonly notes: string };

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
  if ('notes' in message) {
    return `~ ${message.notes}\n`;
  }
  return message.expect === undefined ? '?\n' : `? ${encodeSign(message.expect)}\n`;
}

/** @returns undefined for a line that is not a message. */
export function decodeMessage(line: string): GuardMessage | undefined {
  if (line.startsWith('?')) {
    return { expect: decodeSign(line.slice(1).trim()) };
  }
  const [, kind, file] = /^([!~]) (.+)$/.exec(line) ?? [];
  if (file !== undefined) {
    return kind === '!' ? { reportTo: file } : { notes: file };
  }
  const [, what, rest = ''] = /^([+=]) ((?:\d+:\d*(?: |$))*)$/.exec(line) ?? [];
  const sessions = rest.split(' ').filter(Boolean).map(decodeSession);
  if (what === '=') {
    return { watchOnly: sessions };
  }
  const [watch] = sessions;
  return what === '+' && watch !== undefined ? { watch } : undefined;
}

/** Encodes sessions as they stand in a message. */
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

/** @returns undefined for a text that is not a sign. */
export function decodeSign(text: string): ForkSign | undefined {
  const [, kind, number] = /^(pipe|terminal):(\d+)$/.exec(text) ?? [];
  if (kind === undefined) {
    return undefined;
  }
  return kind === 'pipe' ? { pipe: Number(number) } : { terminalSince: Number(number) };
}
