import { errors, jwtVerify } from 'jose';

import type { Clock } from '../../core/index.js';
import type { TokenCheck } from './bearerToken.js';

/** The requirements on a signed token. */
export interface SignedTokenRules {
  /** The secret of the moment. */
  readonly secret: () => Uint8Array;
  /** The tolerated difference between the clocks of the issuer and of this machine, in seconds. */
  readonly clockSkewSeconds: number;
  /** Required issuer and audience; each is checked only if it is given. */
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

const INVALID = 'invalid websocket jwt';

/** Accepts JSON web tokens that were signed with a shared secret and have not expired. */
export function signedToken(rules: SignedTokenRules, clock: Clock): TokenCheck {
  const { secret, clockSkewSeconds, issuer, audience } = rules;
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, secret(), {
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(clock.wallTime()),
        ...(issuer !== undefined && { issuer }),
        ...(audience !== undefined && { audience }),
      });
      // A number such as 1e400 is Infinity: the token would never expire.
      return Number.isSafeInteger(Math.floor(payload.exp ?? Number.NaN)) ? undefined : INVALID;
    } catch (error) {
      return objectionOf(error);
    }
  };
}

function objectionOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) {
    return 'expired websocket jwt';
  }
  const { claim, reason } = error instanceof errors.JWTClaimValidationFailed ? error : {};
  if (claim === 'nbf' && reason === 'check_failed') {
    return 'websocket jwt is not valid yet';
  }
  if (claim === 'iss') {
    return 'websocket jwt issuer mismatch';
  }
  return claim === 'aud' ? 'websocket jwt audience mismatch' : INVALID;
}
