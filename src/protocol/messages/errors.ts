import { ErrorCode } from '../../core/index.js';

/** All codes of errors on the wire. The codes of {@link ErrorCode} are in use without a wire as well. */
export const WireCode = {
  ...ErrorCode,
  methodNotFound: -32601,
  /** A file or a file handle does not exist. */
  notFound: -32004,
  /** The connection session is attached to another connection. */
  sessionAttached: -32010,
} as const;

/** An error in the form that the wire carries. */
export class WireError extends Error {
  readonly code: number;
  /** Further data for a peer that knows its form: our server puts the {@link ExecFailure} here. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'WireError';
    this.code = code;
    this.data = data;
  }
}

/** The most characters of the other side's text that an error repeats. */
const EXCERPT_CHARACTERS = 100;

/** The beginning of the other side's text, in quotes, for an error. */
export function excerpt(text: string): string {
  const isLong = text.length > EXCERPT_CHARACTERS;
  return JSON.stringify(isLong ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text);
}

/** The connection ended before the answer arrived, or before the request was made. */
export class WireClosedError extends Error {
  /** The reason of the end, in words; empty if the other side closed the connection properly. */
  readonly reason: string;
  /** Whether the server is known to be gone for good. */
  readonly final: boolean;

  constructor(reason: string, final = false) {
    super(reason === '' ? 'The connection was closed.' : `The connection was closed: ${reason}.`);
    this.name = 'WireClosedError';
    this.reason = reason;
    this.final = final;
  }
}

/** The server's answer does not fit the method. */
export class BadAnswerError extends Error {
  readonly method: string;
  /** The path of the wrong member, for example `chunks.3.seq`; empty if the whole answer is wrong. */
  readonly member: string;

  constructor(method: string, member: string, what: string) {
    const where = member === '' ? `The answer to ${method}` : `"${member}" in the answer to ${method}`;
    super(`${where} makes no sense: ${what}.`);
    this.name = 'BadAnswerError';
    this.method = method;
    this.member = member;
  }
}

/** The answer did not arrive in time. A later answer is ignored. */
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
