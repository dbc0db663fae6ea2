import { describeFailure, type ExecFailure, isFailureKind, wireFormOf } from './failures/index.js';

/**
 * An error of a backend. `message` is for people; `code` and `wireMessage` have the form of the exec-server's protocol.
 */
export class ExecError extends Error {
  readonly code: number;
  readonly wireMessage: string;
  readonly failure: ExecFailure;

  /** @param wire The code or the message on the wire, if they differ from those of the failure's kind. */
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
 * Whether an error is an {@link ExecError} of any copy of that class. Each built program contains its own copy, and
 * `instanceof` recognizes only the caller's. An error of a newer copy whose kind is unknown here does not count.
 */
export function isExecError(error: unknown): error is ExecError {
  if (!(error instanceof Error) || error.name !== 'ExecError' || !('failure' in error)) {
    return false;
  }
  const { failure } = error;
  return typeof failure === 'object' && failure !== null && 'kind' in failure && isFailureKind(failure.kind);
}
