import type { CliSession } from '../sessions/cliSession.js';

/** The version of the shape. Keys may be added to a version; none is removed or means something else. */
const VERSION = 1;

/** The sessions as JSON in one line, in the shape that docs/command-line.md documents. Times are ISO 8601 in UTC. */
export function sessionsJson(sessions: readonly CliSession[]): string {
  return JSON.stringify({ version: VERSION, sessions: sessions.map(sessionShape) });
}

function sessionShape({ number, id, title, commandLine, origin, folder, info }: CliSession): object {
  const { argv, cwd, tty, state, pid, startedAt, exitedAt, exit, output } = info;
  return {
    id,
    number,
    title: title ?? null,
    commandLine,
    argv,
    cwd,
    tty,
    state,
    pid: pid ?? null,
    startedAt: timeText(startedAt),
    exitedAt: exitedAt === undefined ? null : timeText(exitedAt),
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    origin: { kind: origin.kind, name: origin.name ?? null },
    folder: folder ?? null,
    outputBytes: output.bytes,
  };
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
