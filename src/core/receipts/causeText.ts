import type { ReceiptCause } from '../metadata.js';
import { english, type Localizer } from '../localizer.js';
import { oneLine } from '../oneLine.js';
import { spanText } from '../timeSpan.js';
import type { EndedReceipt } from './receipt.js';

/** The longest name of an agent that is shown, in characters. */
const NAME_LENGTH = 60;

/** Names the cause of a session's end, as a part of a sentence. Models and the command line get plain English. */
export function causeText(
  cause: ReceiptCause,
  l10n: Localizer = english,
  nameOf = (name: string) => oneLine(name, NAME_LENGTH),
): string {
  switch (cause.kind) {
    case 'person':
      return l10n.t('stopped by a person');
    case 'agent': {
      // With a signal, the agent only sent the signal and did not stop the session.
      const sent = cause.signal !== undefined;
      if (cause.name === undefined) {
        return sent ? l10n.t('sent by an agent') : l10n.t('stopped by an agent');
      }
      const name = nameOf(cause.name);
      return sent ? l10n.t('sent by {0}', name) : l10n.t('stopped by {0}', name);
    }
    // VS Code windows have words of their own for this.
    case 'keepWithoutClient':
      return cause.afterSeconds === undefined
        ? 'stopped because nobody was there for too long'
        : `stopped because nobody was there for ${spanText(cause.afterSeconds * 1_000)}`;
    case 'server':
      return l10n.t('ended with the session server');
    case 'window':
      return l10n.t('ended with its VS Code window');
    case 'guard':
      return l10n.t('stopped by the guard');
  }
}

/** Names the program whose end lost a session, as the subject of a sentence. */
export function holderText({ window }: EndedReceipt): string {
  return window === true ? 'its VS Code window' : 'its server';
}
