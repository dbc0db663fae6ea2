import type { Localizer } from '../../core/index.js';
import { nameInMessage } from './text.js';

/**
 * The error for an environment that is unknown, or whose connecting was cancelled. A connection that fails has errors
 * of its own.
 */
export class EnvironmentError extends Error {
  readonly reason: 'unknown' | 'cancelled';
  /** The environment's name, or its id if the environment is unknown. */
  readonly environment: string;

  constructor(reason: 'unknown' | 'cancelled', environment: string) {
    super(`environment ${environment}: ${reason}`);
    this.name = 'EnvironmentError';
    this.reason = reason;
    this.environment = environment;
  }
}

export function describeEnvironmentError(error: EnvironmentError, l10n: Localizer): string {
  const name = nameInMessage(error.environment);
  switch (error.reason) {
    case 'unknown':
      return l10n.t(
        'There is no environment "{0}". Look at the setting execSessions.environments, where it may have another id.',
        name,
      );
    case 'cancelled':
      return l10n.t('Connecting to "{0}" was cancelled.', name);
  }
}
