import { describeFailure, ExecError, type Localizer } from '../core/index.js';

/** An error in words for people, in their language where there are such words. */
export function errorText(error: unknown, l10n: Localizer): string {
  if (error instanceof ExecError) {
    return describeFailure(error.failure, l10n);
  }
  return error instanceof Error ? error.message : String(error);
}
