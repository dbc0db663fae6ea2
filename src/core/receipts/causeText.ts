import type { EndedReceipt, ReceiptCause } from './receipt.js';

/** How whoever says it writes the names of agents, and durations in milliseconds. */
export interface CauseWords {
  readonly name: (name: string | undefined) => string;
  readonly span: (ms: number) => string;
}

/** Who or what has ended a session, in plain English, for models and for the command line: a part of a sentence. */
export function causeText(cause: ReceiptCause, words: CauseWords): string {
  switch (cause.kind) {
    case 'person':
      return 'stopped by a person';
    case 'agent': {
      const name = words.name(cause.name);
      // Its signal, and not a stop of its.
      return cause.signal === undefined ? `stopped by ${name}` : `sent by ${name}`;
    }
    case 'keepWithoutClient':
      return cause.afterSeconds === undefined
        ? 'stopped because nobody was there for too long'
        : `stopped because nobody was there for ${words.span(cause.afterSeconds * 1_000)}`;
    case 'server':
      return 'ended with the session server';
    case 'window':
      return 'ended with its VS Code window';
    case 'guard':
      return 'stopped by the guard';
  }
}

/** What a session was lost with, as the subject of a sentence. */
export function holderText({ window }: EndedReceipt): string {
  return window === true ? 'its VS Code window' : 'its server';
}
