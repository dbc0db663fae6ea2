import { causeText, type EndedReceipt, holderText, oneLine, type StopStep } from '../../core/index.js';
import { exitText } from './words.js';

/** How a session ended, in a few words: `exit 1`, `SIGTERM, stopped by Codex (terminated)`, `lost`. */
export function endingOf(receipt: EndedReceipt): string {
  const { end, endedBy, steps } = receipt;
  const last = steps.at(-1);
  const how = last === undefined ? '' : ` (${STEP_WORDS[last]})`;
  const exit = end.kind === 'lost' ? `lost: ${holderText(receipt)} ended` : exitText(end.status);
  return [exit, ...(endedBy === undefined ? [] : [causeText(endedBy)])].join(', ') + how;
}

/** The name for people: the title, or the command line. */
export function receiptName({ title, commandLine }: EndedReceipt): string {
  return oneLine(title ?? commandLine);
}

/** The name of the person, agent or program that has started it. */
export function starterOf({ origin }: EndedReceipt): string {
  return origin.kind === 'user' ? 'you' : oneLine(origin.name ?? origin.kind).slice(0, 20);
}

export const STEP_WORDS: Readonly<Record<StopStep, string>> = {
  interrupt: 'interrupted',
  hangup: 'hung up',
  terminate: 'terminated',
  kill: 'killed',
};
