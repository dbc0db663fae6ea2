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
