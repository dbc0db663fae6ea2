import { WireCode, WireError } from '../../../protocol/index.js';

/** The error of a request that is wrong in itself, so that nothing is sent. */
export function badRequest(what: string): WireError {
  return new WireError(WireCode.invalidParams, `http/request ${what}`);
}

/** The error of a request that got no response. */
export function requestFailed(why: string): WireError {
  return new WireError(WireCode.internal, `http/request failed: ${why}`);
}

/** The error of a response whose body is incomplete. */
export function bodyFailed(why: string): WireError {
  return new WireError(WireCode.internal, `failed to read http/request response body: ${why}`);
}

/** The message of an error; its code if the message is empty, as when a connection was refused. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error.message !== '') {
    return error.message;
  }
  return 'code' in error ? String(error.code) : error.name;
}
