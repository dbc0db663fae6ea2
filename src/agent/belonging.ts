import { isRecord, type ProcessMetadata } from '../core/index.js';

import { oneLine } from './oneLine.js';
import { type Cursor, parseCursor } from './text/index.js';

/** The longest name and id of an agent that are taken over from elsewhere, in characters. */
const NAME_LENGTH = 60;
const ID_LENGTH = 200;

/** What is remembered with the process of an agent's session, for the programs that find it. */
export interface Belonging {
  /** The session's number, which no other session of the user has. */
  readonly number: number;
  readonly agent: { readonly id: string; readonly name: string };
  /** When the agent has gone, in milliseconds since 1970. */
  readonly leftAt: number | undefined;
}

/** Reads it, whoever has written it. */
export function belongingIn({ agent, leftAt }: ProcessMetadata): Belonging | undefined {
  if (!isRecord(agent)) {
    return undefined;
  }
  const { number, id, name } = agent;
  return Number.isSafeInteger(number) &&
    Number(number) > 0 &&
    typeof id === 'string' &&
    typeof name === 'string'
    ? {
        number: Number(number),
        agent: { id: id.slice(0, ID_LENGTH), name: oneLine(name, NAME_LENGTH) },
        leftAt: typeof leftAt === 'number' && Number.isFinite(leftAt) ? leftAt : undefined,
      }
    : undefined;
}

/** The end of the output that agents of this name have got, as far as that is remembered. */
export function cursorIn({ cursors }: ProcessMetadata, name: string): Cursor | undefined {
  const text = isRecord(cursors) && Object.hasOwn(cursors, name) ? cursors[name] : undefined;
  return typeof text === 'string' ? parseCursor(text) : undefined;
}

/** Who is known to have ended it, in words. */
export function endedByText({ endedBy }: ProcessMetadata): string | undefined {
  if (!isRecord(endedBy)) {
    return undefined;
  }
  const { kind, name } = endedBy;
  switch (kind) {
    case 'person':
      return 'stopped by a person';
    case 'agent':
      return typeof name === 'string' ? `stopped by ${oneLine(name, NAME_LENGTH)}` : 'stopped by an agent';
    case 'keepWithoutClient':
      return 'stopped because nobody was there for too long';
    default:
      return undefined;
  }
}
