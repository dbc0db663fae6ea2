import { describeFailure, type ExecFailure, wireFormOf } from './failures.js';

/** An error of a backend. `message` is for people; `code` and `wireMessage` are what the exec-server wire carries. */
export class ExecError extends Error {
  readonly code: number;
  readonly wireMessage: string;
  readonly failure: ExecFailure;

  /** @param wire The code or the message on the wire, if it differs from that of the failure's kind. */
  constructor(failure: ExecFailure, wire: { readonly code?: number; readonly message?: string } = {}) {
    super(describeFailure(failure));
    const form = wireFormOf(failure);
    this.name = 'ExecError';
    this.failure = failure;
    this.code = wire.code ?? form.code;
    this.wireMessage = wire.message ?? form.message;
  }
}

/**
 * Whether an error is an {@link ExecError}, even one of another copy of that class: each program that is built has its
 * own copy, and `instanceof` knows only that of the caller.
 */
export function isExecError(error: unknown): error is ExecError {
  if (!(error instanceof Error) || error.name !== 'ExecError' || !('failure' in error)) {
    return false;
  }
  const { failure } = error;
  return typeof failure === 'object' && failure !== null && 'kind' in failure;
}
