import { describeFailure, isExecError, type Localizer, messageOf } from '../../core/index.js';

import { describeEnvironmentError, EnvironmentError } from './environmentError.js';
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
