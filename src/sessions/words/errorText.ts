import {
  describeFailure,
  describeLoss,
  type ExecFailure,
  isExecError,
  type Localizer,
  type LossReason,
  messageOf,
  oneLine,
  shorten,
} from '../../core/index.js';
import { nameInMessage } from './text.js';

/** An error in words for people. Our own errors are put into their language. */
export function errorText(error: unknown, l10n: Localizer): string {
  if (isExecError(error)) {
    return describeFailure(error.failure, l10n);
  }
  if (error instanceof EnvironmentError) {
    return describeEnvironmentError(error, l10n);
  }
  return messageOf(error);
}

/** An error about a session, with the session's label in place of the id of its process, which people do not know. */
export function sessionErrorText(error: unknown, label: string, l10n: Localizer): string {
  return isExecError(error) && 'processId' in error.failure
    ? describeFailure({ ...error.failure, processId: nameInMessage(label) }, l10n)
    : errorText(error, l10n);
}

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

function describeEnvironmentError(error: EnvironmentError, l10n: Localizer): string {
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

/** The longest reason that is shown, in characters: a server may send any text. */
const REASON_LENGTH = 300;

/** The reason for the loss of a machine, in words for people: a part of a sentence, and never empty. */
export function lossText(reason: LossReason, l10n: Localizer): string {
  // In VS Code the side that has disconnected is a window; other windows may still be connected.
  const text =
    reason.kind === 'closedHere' ? l10n.t('this window has disconnected') : describeLoss(reason, l10n);
  return shorten(oneLine(text), REASON_LENGTH);
}

/** The reason for the loss of a session: the loss of its machine, or a failure that its server has reported. */
export function failureText(failure: ExecFailure | undefined, l10n: Localizer): string {
  if (failure === undefined) {
    return l10n.t('the reason is not known');
  }
  return failure.kind === 'disconnected'
    ? lossText(failure.reason, l10n)
    : shorten(oneLine(describeFailure(failure, l10n)), REASON_LENGTH);
}
