import type { SessionIdentity } from '../posixSession.js';

/** What the guard is told, one line each: `+ 123 456` to watch a POSIX session, `- 123` to forget it. */
export type GuardMessage = { readonly watch: SessionIdentity } | { readonly unwatch: number };

export function encodeMessage(message: GuardMessage): string {
  return 'watch' in message
    ? `+ ${message.watch.sid} ${message.watch.startTime ?? ''}\n`
    : `- ${message.unwatch}\n`;
}

/** @returns undefined for a line that is none: the host died while it wrote it. */
export function decodeMessage(line: string): GuardMessage | undefined {
  const [, sid, startTime] = /^[+-] (\d+)(?: (\d*))?$/.exec(line) ?? [];
  const isWatch = line.startsWith('+');
  if (sid === undefined || isWatch !== (startTime !== undefined)) {
    return undefined;
  }
  return isWatch ? { watch: identityOf(sid, startTime) } : { unwatch: Number(sid) };
}

/** A session as an argument of the guard's program: `123:456`, or `123:` if nobody knows when it began. */
export function decodeArgument(argument: string): SessionIdentity {
  const [sid, startTime] = argument.split(':');
  return identityOf(sid, startTime);
}

function identityOf(sid: string | undefined, startTime: string | undefined): SessionIdentity {
  return { sid: Number(sid), ...(startTime !== undefined && startTime !== '' && { startTime }) };
}
