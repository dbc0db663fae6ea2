/**
 * Whether a value of unknown origin, for example parsed JSON, is an object with named members: not an array, not null.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The message of an error; anything else that was thrown, as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error as it is; anything else that was thrown, as the message of an error. */
export function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
