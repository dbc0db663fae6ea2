import type { EndedReceipt, StopStep } from '../../core/index.js';
import { exitText, oneLine } from './words.js';

/** How a session ended, in a few words: `exit 1`, `SIGTERM, stopped by Codex (terminated)`, `lost`. */
export function endingOf({ end, endedBy, steps }: EndedReceipt): string {
  if (end.kind === 'lost') {
    return 'lost: its server ended';
  }
  const last = steps.at(-1);
  const how = last === undefined ? '' : ` (${STEP_WORDS[last]})`;
  return [exitText(end.status), ...causeText(endedBy)].join(', ') + how;
}

/** The name for people: the title, or the command line. */
export function receiptName({ title, commandLine }: EndedReceipt): string {
  return oneLine(title ?? commandLine);
}

/** Who has started it. */
export function starterOf({ origin }: EndedReceipt): string {
  return origin.kind === 'user' ? 'you' : oneLine(origin.name ?? origin.kind).slice(0, 20);
}

function causeText(endedBy: EndedReceipt['endedBy']): readonly string[] {
  switch (endedBy?.kind) {
    case undefined:
      return [];
    case 'person':
      return ['stopped by a person'];
    case 'agent': {
      const name = oneLine(endedBy.name ?? 'an agent');
      return [endedBy.signal === undefined ? `stopped by ${name}` : `sent by ${name}`];
    }
    case 'keepWithoutClient':
      return ['stopped because nobody was there for too long'];
    case 'server':
      return ['ended with the session server'];
  }
}

export const STEP_WORDS: Readonly<Record<StopStep, string>> = {
  interrupt: 'interrupted',
  hangup: 'hung up',
  terminate: 'terminated',
  kill: 'killed',
};
