import { type Console, wantsColours, widthOf } from '../console.js';
import { type CliSession, isRunning } from '../sessions/cliSession.js';
import { sessionsJson } from './json.js';
import { sessionTable } from './sessionTable.js';

/** The choice of sessions, and the form of the list. */
export interface ListOptions {
  readonly json: boolean;
  /** Whether ended sessions are listed too. */
  readonly all: boolean;
  /** Ids alone. */
  readonly quiet: boolean;
}

/** The list as it is printed; empty if no session is to be listed and people read it. */
export function listText(
  console: Console,
  sessions: readonly CliSession[],
  { json, all, quiet }: ListOptions,
): string {
  const shown = all ? sessions : sessions.filter(isRunning);
  if (json) {
    return sessionsJson(shown);
  }
  return quiet
    ? shown.map(({ id }) => id).join('\n')
    : sessionTable(shown, sessions, {
        now: console.clock.wallTime(),
        width: widthOf(console),
        colours: wantsColours(console),
      }).join('\n');
}
