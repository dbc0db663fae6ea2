import { isRecord, oneLine, type ProcessMetadata } from '../core/index.js';

import { type Cursor, parseCursor } from './text/index.js';

/** The longest name and id of an agent that are taken over from elsewhere, in characters. */
const NAME_LENGTH = 60;
const ID_LENGTH = 200;

/** The tools that change something about a session: its agent is told when another one calls them. */
const CHANGING_TOOLS = ['write_stdin', 'send_signal', 'stop_session'] as const;
export type ChangingTool = (typeof CHANGING_TOOLS)[number];

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

/** Something that an agent of another program has done to a session. */
export interface ForeignUse {
  readonly agent: { readonly id: string; readonly name: string };
  readonly tool: string;
  /** How often it has called that tool for it. */
  readonly times: number;
}

/** What agents of other programs than that of its own agent have done to it. */
export function foreignUsesIn({ uses }: ProcessMetadata): readonly ForeignUse[] {
  if (!isRecord(uses)) {
    return [];
  }
  return Object.entries(uses).flatMap(([id, said]) => {
    const { name, tools } = isRecord(said) ? said : {};
    if (typeof name !== 'string' || !isRecord(tools)) {
      return [];
    }
    const agent = { id: id.slice(0, ID_LENGTH), name: oneLine(name, NAME_LENGTH) };
    return CHANGING_TOOLS.flatMap((tool) => {
      const times = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
      return Number.isSafeInteger(times) && Number(times) > 0 ? [{ agent, tool, times: Number(times) }] : [];
    });
  });
}
