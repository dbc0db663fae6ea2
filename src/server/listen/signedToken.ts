import { compactVerify } from 'jose';
import * as z from 'zod/mini';

import type { Clock } from '../../core/index.js';
import type { TokenCheck } from './bearerToken.js';

/** What a signed token has to say. */
export interface SignedTokenRules {
  readonly secret: Uint8Array;
  /** How far the clocks of the issuer and of this machine may be apart. */
  readonly clockSkewSeconds: number;
  /** Not looked at if they are not given. */
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

export const DEFAULT_CLOCK_SKEW_SECONDS = 30;

const invalid = 'invalid websocket jwt';

/** A whole number of seconds that fits into 64 bits, which is as far as a peer written in another language goes. */
const seconds = z.number().check(z.refine((value) => Number.isInteger(value) && Math.abs(value) < 2 ** 63));
const times = z.object({ exp: seconds, nbf: z.optional(z.nullable(seconds)) });
const issuers = z.object({ iss: z.optional(z.nullable(z.string())) });
const audiences = z.object({ aud: z.optional(z.nullable(z.union([z.string(), z.array(z.string())]))) });

/** Accepts JSON web tokens that were signed with a shared secret and have not expired. */
export function signedToken(rules: SignedTokenRules, clock: Clock): TokenCheck {
  return async (token) => {
    const claims = await verifiedClaims(token, rules.secret);
    const time = times.safeParse(claims);
    const issuer = issuers.safeParse(rules.issuer === undefined ? {} : claims);
    const audience = audiences.safeParse(rules.audience === undefined ? {} : claims);
    if (!time.success || !issuer.success || !audience.success) {
      return invalid;
    }
    const now = clock.now() / 1000;
    const { exp, nbf } = time.data;
    if (exp + rules.clockSkewSeconds < now) {
      return 'expired websocket jwt';
    }
    if (typeof nbf === 'number' && nbf - rules.clockSkewSeconds > now) {
      return 'websocket jwt is not valid yet';
    }
    if (rules.issuer !== undefined && issuer.data.iss !== rules.issuer) {
      return 'websocket jwt issuer mismatch';
    }
    if (rules.audience !== undefined && ![audience.data.aud].flat().includes(rules.audience)) {
      return 'websocket jwt audience mismatch';
    }
    return undefined;
  };
}

/** What a token says, if the signature is right; undefined otherwise. */
async function verifiedClaims(token: string, secret: Uint8Array): Promise<unknown> {
  try {
    const { payload } = await compactVerify(token, secret, { algorithms: ['HS256'] });
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return undefined;
  }
}
