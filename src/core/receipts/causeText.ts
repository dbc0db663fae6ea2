import { english, type Localizer } from '../localizer.js';
import type { EndedReceipt, ReceiptCause } from './receipt.js';

/** How whoever says it writes the names of agents, and durations in milliseconds. */
export interface CauseWords {
  readonly name: (name: string) => string;
  readonly span: (ms: number) => string;
}

/** Names the cause of a session's end, as a part of a sentence. Models and the command line get plain English. */
export function causeText(cause: ReceiptCause, words: CauseWords, l10n: Localizer = english): string {
  switch (cause.kind) {
    case 'person':
      return l10n.t('stopped by a person');
    case 'agent': {
      // With a signal, the agent only sent that, and did not stop the session.
      const sent = cause.signal !== undefined;
      if (cause.name === undefined) {
        return sent ? l10n.t('sent by an agent') : l10n.t('stopped by an agent');
      }
      const name = words.name(cause.name);
      return sent ? l10n.t('sent by {0}', name) : l10n.t('stopped by {0}', name);
    }
    // Windows have words of their own for this.
    case 'keepWithoutClient':
      return cause.afterSeconds === undefined
        ? 'stopped because nobody was there for too long'
        : `stopped because nobody was there for ${words.span(cause.afterSeconds * 1_000)}`;
    case 'server':
      return l10n.t('ended with the session server');
    case 'window':
      return l10n.t('ended with its VS Code window');
    case 'guard':
      return l10n.t('stopped by the guard');
  }
}

/** What a session was lost with, as the subject of a sentence. */
export function holderText({ window }: EndedReceipt): string {
  return window === true ? 'its VS Code window' : 'its server';
}
