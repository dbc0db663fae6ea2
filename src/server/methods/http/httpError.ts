import { WireCode, WireError } from '../../../protocol/index.js';

/** What is wrong with a request before anything is sent. */
export function badRequest(what: string): WireError {
  return new WireError(WireCode.invalidParams, `http/request ${what}`);
}

/** Why there is no response. */
export function requestFailed(why: string): WireError {
  return new WireError(WireCode.internal, `http/request failed: ${why}`);
}

/** Why there is a response without its whole body. */
export function bodyFailed(why: string): WireError {
  return new WireError(WireCode.internal, `failed to read http/request response body: ${why}`);
}

/** The words of an error, and its code where there are none: that a connection was refused says only its code. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error.message !== '') {
    return error.message;
  }
  return 'code' in error ? String(error.code) : error.name;
}
