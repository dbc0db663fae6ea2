export const AUTH_MODES = ['capability-token', 'signed-bearer-token'] as const;

/** The flags of the command line that decide which clients may connect. */
export interface AuthFlags {
  readonly wsAuth?: (typeof AUTH_MODES)[number] | undefined;
  readonly wsTokenFile?: string | undefined;
  readonly wsTokenSha256?: string | undefined;
  readonly wsSharedSecretFile?: string | undefined;
  readonly wsIssuer?: string | undefined;
  readonly wsAudience?: string | undefined;
  readonly wsMaxClockSkewSeconds?: number | undefined;
}

export const DEFAULT_CLOCK_SKEW_SECONDS = 30;
