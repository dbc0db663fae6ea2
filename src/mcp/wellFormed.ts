/**
 * Puts U+FFFD in the place of half characters in all texts of plain data: JSON can carry them, but there are clients, and
 * exec-servers, that then take the whole message for broken, so that its answer never comes.
 */
export function wellFormed<T>(data: T): T {
  return mended(data) as T;
}

function mended(data: unknown): unknown {
  if (typeof data === 'string') {
    return data.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  }
  if (Array.isArray(data)) {
    return data.map(mended);
  }
  return typeof data === 'object' && data !== null
    ? Object.fromEntries(Object.entries(data).map(([key, value]) => [mended(key), mended(value)]))
    : data;
}
