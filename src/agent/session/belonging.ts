import { metadataIn, oneLine, type ProcessMetadata } from '../../core/index.js';

import { type Cursor, parseCursor } from '../text/index.js';

/** The longest name and id of an agent that are taken over from elsewhere, in characters. */
const NAME_LENGTH = 60;
const ID_LENGTH = 200;

/** The tools that change something about a session. If another agent calls them, the session's own agent is told. */
const CHANGING_TOOLS = ['write_stdin', 'send_signal', 'stop_session'] as const;
export type ChangingTool = (typeof CHANGING_TOOLS)[number];

/** The facts stored with the process of an agent's session, for the programs that find it. */
export interface Belonging {
  /** The session's number, which no other session of the user has. */
  readonly number: number;
  readonly agent: { readonly id: string; readonly name: string };
  /** When the agent has gone, in milliseconds since 1970. */
  readonly leftAt: number | undefined;
}

/** Reads these facts, whichever program wrote them. */
export function belongingIn(metadata: ProcessMetadata): Belonging | undefined {
  const { number = 0, id = '', name = '' } = metadataIn(metadata, 'agent') ?? {};
  return number > 0
    ? {
        number,
        agent: { id: id.slice(0, ID_LENGTH), name: oneLine(name, NAME_LENGTH) },
        leftAt: metadataIn(metadata, 'leftAt'),
      }
    : undefined;
}

/** The end of the output that agents of this name have got, as far as it is stored. */
export function cursorIn(metadata: ProcessMetadata, name: string): Cursor | undefined {
  const cursors = metadataIn(metadata, 'cursors');
  const text = Object.hasOwn(cursors, name) ? cursors[name] : undefined;
  return typeof text === 'string' ? parseCursor(text) : undefined;
}

/** The last action on it by an agent of a program other than that of its own agent. */
export function foreignUseIn(metadata: ProcessMetadata) {
  const { name = '', tool: said, at } = metadataIn(metadata, 'usedBy') ?? {};
  const tool = CHANGING_TOOLS.find((one) => one === said);
  return tool === undefined ? undefined : { name: oneLine(name, NAME_LENGTH), tool, at };
}
