import {
  describeFailure,
  describeLoss,
  type ExecFailure,
  type Localizer,
  type LossReason,
} from '../../core/index.js';
import { oneLine, shorten } from './text.js';

/** A server can say what it likes; more than this is read nowhere. */
const REASON_LENGTH = 300;

/** Why a machine was lost, for people, as a part of a sentence and never empty. */
export function lossText(reason: LossReason, l10n: Localizer): string {
  // In VS Code the side that has disconnected is a window, and others may be connected still.
  const text =
    reason.kind === 'closedHere' ? l10n.t('this window has disconnected') : describeLoss(reason, l10n);
  return shorten(oneLine(text), REASON_LENGTH);
}

/** Why a session on a machine was lost: with the machine, or because of what its server says of it. */
export function failureText(failure: ExecFailure | undefined, l10n: Localizer): string {
  if (failure === undefined) {
    return l10n.t('the reason is not known');
  }
  return failure.kind === 'disconnected'
    ? lossText(failure.reason, l10n)
    : shorten(oneLine(describeFailure(failure, l10n)), REASON_LENGTH);
}
