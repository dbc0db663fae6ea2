import { readFileSync } from 'node:fs';

import type { HostVariables } from '../core/index.js';
import { systemReason } from './startError.js';

/** A way by which an agent reaches us. */
export interface Door {
  /** Whether the agent gets our tools, or its own commands become sessions or reports. */
  readonly what: 'tools' | 'commands';
  /** `broken`: open, but a file of ours is missing. With a reason, somebody else has changed it, and we leave it alone. */
  readonly state: 'open' | 'closed' | 'broken' | { readonly why: string };
  /** The changes that open it and close it, in lines for people. */
  readonly opening: readonly string[];
  readonly closing: readonly string[];
  /** Undefined if only people can do it. */
  readonly change?: DoorChange | undefined;
  /** The arguments with which the agent starts our program. */
  readonly args?: readonly string[] | undefined;
}

/** Opens or closes a door. Each rejects if that fails. */
export interface DoorChange {
  open(): Promise<void> | void;
  close(): Promise<void> | void;
}

/** The surroundings of agents, and the command of ours that no update moves. */
export interface DoorPlace {
  readonly env: HostVariables;
  readonly program: readonly [string, ...string[]];
}

/**
 * The state of a door that is open by what a file of the agent says; closed without the file.
 *
 * @param look Says what a text means; an error means that it cannot be read.
 */
export function stateIn(file: string, look: (text: string) => Door['state']): Door['state'] {
  try {
    return look(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'closed' : { why: `${file} cannot be read: ${systemReason(error)}` };
  }
}
