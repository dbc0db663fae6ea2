import { describeFailure, isExecError, type Localizer } from '../../core/index.js';

import { describeEnvironmentError, EnvironmentError } from './environmentError.js';
import { nameInMessage } from './text.js';

/** An error in words for people, in their language where there are such words. */
export function errorText(error: unknown, l10n: Localizer): string {
  if (isExecError(error)) {
    return describeFailure(error.failure, l10n);
  }
  if (error instanceof EnvironmentError) {
    return describeEnvironmentError(error, l10n);
  }
  return error instanceof Error ? error.message : String(error);
}

/** An error about a session: people know it by what it is called, and not by the id of its process. */
export function sessionErrorText(error: unknown, label: string, l10n: Localizer): string {
  return isExecError(error) && 'processId' in error.failure
    ? describeFailure({ ...error.failure, processId: nameInMessage(label) }, l10n)
    : errorText(error, l10n);
}
