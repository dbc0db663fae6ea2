import type { Clock } from '../../core/index.js';
import { capabilityToken, sha256, type TokenCheck } from './bearerToken.js';
import { type AuthFlags, DEFAULT_CLOCK_SKEW_SECONDS } from './authFlags.js';
import { SecretFile } from './secretFile.js';
import { StartError } from './startError.js';
import { errors, jwtVerify } from 'jose';

/** The length of the digest that is made with the secret: a shorter secret can be guessed. */
const SMALLEST_SECRET_BYTES = 32;

const SECRET = 'websocket auth secret';

/**
 * Makes the check of tokens that the command line asks for.
 *
 * @param log Told of a file that has changed and cannot be used.
 * @returns undefined if every client may connect.
 * @throws StartError if the flags do not fit together, or a file cannot be used.
 */
export function tokenCheck(
  flags: AuthFlags,
  clock: Clock,
  log: (line: string) => void,
): TokenCheck | undefined {
  const forTokens = flags.wsTokenFile !== undefined || flags.wsTokenSha256 !== undefined;
  const forSigned =
    flags.wsSharedSecretFile !== undefined ||
    flags.wsIssuer !== undefined ||
    flags.wsAudience !== undefined ||
    flags.wsMaxClockSkewSeconds !== undefined;
  switch (flags.wsAuth) {
    case undefined:
      if (forTokens || forSigned) {
        throw new StartError(
          'websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`',
        );
      }
      return undefined;
    case 'capability-token':
      if (forSigned) {
        throw new StartError(
          '`--ws-shared-secret-file`, `--ws-issuer`, `--ws-audience`, and `--ws-max-clock-skew-seconds` ' +
            'require `--ws-auth signed-bearer-token`',
        );
      }
      return capabilityToken(tokenDigest(flags, log));
    case 'signed-bearer-token':
      if (forTokens) {
        throw new StartError(
          '`--ws-token-file` and `--ws-token-sha256` require `--ws-auth capability-token`, not `signed-bearer-token`',
        );
      }
      return signedToken(
        {
          secret: sharedSecret(flags, log),
          clockSkewSeconds: flags.wsMaxClockSkewSeconds ?? DEFAULT_CLOCK_SKEW_SECONDS,
          issuer: flags.wsIssuer,
          audience: flags.wsAudience,
        },
        clock,
      );
  }
}

function tokenDigest(
  { wsTokenFile, wsTokenSha256 }: AuthFlags,
  log: (line: string) => void,
): () => Uint8Array {
  if (wsTokenFile !== undefined && wsTokenSha256 !== undefined) {
    throw new StartError('`--ws-token-file` and `--ws-token-sha256` are mutually exclusive');
  }
  if (wsTokenFile !== undefined) {
    const token = new SecretFile({ file: wsTokenFile, name: SECRET, log });
    return () => sha256(token.current);
  }
  if (wsTokenSha256 === undefined) {
    throw new StartError(
      '`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set',
    );
  }
  if (!/^[0-9a-f]{64}$/i.test(wsTokenSha256)) {
    throw new StartError('--ws-token-sha256 must be a 64-character hex SHA-256 digest');
  }
  const digest = Buffer.from(wsTokenSha256, 'hex');
  return () => digest;
}

function sharedSecret({ wsSharedSecretFile }: AuthFlags, log: (line: string) => void): () => Uint8Array {
  if (wsSharedSecretFile === undefined) {
    throw new StartError('`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set');
  }
  const secret = new SecretFile({
    file: wsSharedSecretFile,
    name: SECRET,
    objectionTo: (text) =>
      Buffer.byteLength(text) < SMALLEST_SECRET_BYTES
        ? `signed websocket bearer secret ${wsSharedSecretFile} must be at least ${SMALLEST_SECRET_BYTES} bytes`
        : undefined,
    log,
  });
  return () => Buffer.from(secret.current);
}

/** The requirements on a signed token. */
interface SignedTokenRules {
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
function signedToken(rules: SignedTokenRules, clock: Clock): TokenCheck {
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
