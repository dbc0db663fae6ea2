import { ErrorCode } from '../../core/index.js';

/** Codes that only the wire has; the others are {@link ErrorCode}. */
export const WireCode = {
  ...ErrorCode,
  methodNotFound: -32601,
  /** A file or a file handle is not there. */
  notFound: -32004,
  /** Another connection holds the connection session. */
  sessionAttached: -32010,
} as const;

/** An error as it goes over the wire. */
export class WireError extends Error {
  readonly code: number;
  /** What a peer that knows it can make of it: our server puts the {@link ExecFailure} here. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'WireError';
    this.code = code;
    this.data = data;
  }
}

/** How much of what the other side wrote an error repeats. */
const EXCERPT_CHARACTERS = 100;

/** The beginning of what the other side wrote, in quotes, for an error. */
export function excerpt(text: string): string {
  const isLong = text.length > EXCERPT_CHARACTERS;
  return JSON.stringify(isLong ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text);
}

/** The connection ended before the answer came, or was over already. */
export class WireClosedError extends Error {
  /** Why it ended, in words; empty if the other side closed it properly. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason === '' ? 'The connection was closed.' : `The connection was closed: ${reason}.`);
    this.name = 'WireClosedError';
    this.reason = reason;
  }
}

/** The server answered something that makes no sense. */
export class BadAnswerError extends Error {
  readonly method: string;
  /** The member that is wrong, `chunks.3.seq` for example; empty if it is the whole answer. */
  readonly member: string;

  constructor(method: string, member: string, what: string) {
    const where = member === '' ? `The answer to ${method}` : `"${member}" in the answer to ${method}`;
    super(`${where} makes no sense: ${what}.`);
    this.name = 'BadAnswerError';
    this.method = method;
    this.member = member;
  }
}

/** The answer did not come in the time that was given. It is ignored if it comes later. */
export class RequestTimeoutError extends Error {
  readonly method: string;
  readonly timeoutMs: number;

  constructor(method: string, timeoutMs: number) {
    super(`No answer to ${method} within ${timeoutMs} milliseconds.`);
    this.name = 'RequestTimeoutError';
    this.method = method;
    this.timeoutMs = timeoutMs;
  }
}
