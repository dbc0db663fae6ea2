import {
  describeFailure,
  describeLoss,
  type ExecFailure,
  type Localizer,
  type LossReason,
  oneLine,
  shorten,
} from '../../core/index.js';

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
