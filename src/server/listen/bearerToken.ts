import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Checks a token.
 *
 * @returns the objection to it, in the words that the client gets; undefined if the token is valid.
 */
export type TokenCheck = (token: string) => Promise<string | undefined>;

/**
 * Checks an `Authorization` header.
 *
 * @returns the objection to it, in the words that the client gets; undefined if it is valid.
 */
export async function objectionTo(
  header: string | undefined,
  check: TokenCheck,
): Promise<string | undefined> {
  if (header === undefined) {
    return 'missing websocket bearer token';
  }
  const [, scheme, token] = /^(\S+)\s+(\S.*)$/.exec(header.trim()) ?? [];
  if (token === undefined || scheme?.toLowerCase() !== 'bearer') {
    return 'invalid authorization header';
  }
  return check(token);
}

/** Accepts the one token that has this SHA-256 digest at the moment. */
export function capabilityToken(digest: () => Uint8Array): TokenCheck {
  return (token) => {
    const same = timingSafeEqual(sha256(token), digest());
    return Promise.resolve(same ? undefined : 'invalid websocket bearer token');
  };
}

export function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
