import { messageOf } from '../core/index.js';
import { claudeDoorState, closeClaudeDoor, openClaudeDoor } from './claudeDoor.js';
import { codexDoor } from './codexDoor.js';
import type { Door, DoorPlace } from './door.js';
import { mcpDoor } from './mcpDoor.js';

/** The doors of an agent as they are now. */
export function doorsOf(agent: string, place: DoorPlace): readonly Door[] {
  const own = agent === 'codex' ? codexDoor(place) : agent === 'claude' ? shellDoor(place) : undefined;
  return [mcpDoor(agent, place), ...(own === undefined ? [] : [own])];
}

/** The door of Claude Code's own commands. It is a shell script, so Windows has none. */
function shellDoor({ env }: DoorPlace): Door | undefined {
  if (process.platform === 'win32') {
    return undefined;
  }
  const change = { open: () => openClaudeDoor(env), close: () => closeClaudeDoor(env) };
  const door = { what: 'commands', opening: [], closing: [], change } as const;
  try {
    const { state, settings, entry, script } = claudeDoorState(env);
    return {
      ...door,
      state: state === 'changed' ? { why: `${settings} has another CLAUDE_CODE_SHELL_PREFIX` } : state,
      opening: [`write ${script}, which reports each command and runs it`, `in ${settings}, "env": ${entry}`],
      closing: [`in ${settings}, remove ${entry}`],
    };
  } catch (error) {
    return { ...door, state: { why: messageOf(error) } };
  }
}
