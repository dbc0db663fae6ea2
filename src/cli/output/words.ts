import {
  causeText,
  type EndedReceipt,
  type ExitStatus,
  holderText,
  oneLine,
  refusalText,
  type StopStep,
} from '../../core/index.js';
import type { CliSession } from '../sessions/cliSession.js';

/** The fewest characters of an id that are shown. */
const ID_LENGTH = 8;

/** The beginning of an id that no other session shares, of at least eight characters. */
export function shortId({ id }: CliSession, sessions: readonly CliSession[]): string {
  const others = sessions.filter((other) => other.id !== id);
  let length = ID_LENGTH;
  while (length < id.length && others.some((other) => other.id.startsWith(id.slice(0, length)))) {
    length += 1;
  }
  return id.slice(0, length);
}

/** How a session stands, in one or two words. */
export function statusOf({ info: { state, exit } }: CliSession): string {
  switch (state) {
    case 'starting':
    case 'running':
      return 'running';
    case 'exited':
      return `${exitText(exit)}, open`;
    case 'closed':
      return exitText(exit);
    case 'failed':
      return 'lost';
  }
}

function exitText(exit: ExitStatus | undefined): string {
  return exit === undefined ? 'ended' : (exit.signal ?? `exit ${exit.exitCode}`);
}

/** How a session ended, in a few words: `exit 1`, `SIGTERM, stopped by Codex (terminated)`, `lost`. */
export function endingOf(receipt: EndedReceipt): string {
  const { end, endedBy, steps } = receipt;
  const last = steps.at(-1);
  const how = last === undefined ? '' : ` (${STEP_WORDS[last]})`;
  const exit = end.kind === 'lost' ? `lost: ${holderText(receipt)} ended` : exitText(end.status);
  const refusal = end.kind === 'lost' ? undefined : refusalText(end.status);
  const why = endedBy === undefined ? refusal : causeText(endedBy);
  return [exit, ...(why === undefined ? [] : [why])].join(', ') + how;
}

/** The name for people: the title, or the command line. */
export function receiptName({ title, commandLine }: EndedReceipt): string {
  return oneLine(title ?? commandLine);
}

/** The name of the person, agent or program that has started it. */
export function starterOf({ origin }: EndedReceipt): string {
  return origin.kind === 'user' ? 'you' : oneLine(origin.name ?? origin.kind).slice(0, 20);
}

const STEP_WORDS: Readonly<Record<StopStep, string>> = {
  interrupt: 'interrupted',
  hangup: 'hung up',
  terminate: 'terminated',
  kill: 'killed',
};
