import { pathFromUri, WireCode, WireError } from '../../../protocol/index.js';
import { isOsError, osErrorAnswer } from '../osErrors.js';

/** Turns errors of the operating system into error answers. */
export async function withOsAnswers<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isOsError(error) ? osErrorAnswer(error) : error;
  }
}

/**
 * The path in the parameters of a method.
 *
 * @throws WireError if it is not one of this machine.
 */
export function pathOf(params: { readonly path: string }): string {
  return pathFromUri(params.path);
}

export function invalidRequest(message: string): WireError {
  return new WireError(WireCode.invalidRequest, message);
}

export function throughLink(): WireError {
  return invalidRequest('path contains a symbolic link');
}

export function notAFile(path: string): WireError {
  return invalidRequest(`path \`${path}\` is not a file`);
}
