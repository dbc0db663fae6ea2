import { version } from '../../../package.json';
import { CliError, ExitCode } from '../exitCodes.js';
import { type Console, remark } from '../console.js';
import type { Place } from '../places.js';

/** Removes what was installed on another machine. While sessions run there, this needs `force`. */
export async function serverRemove(console: Console, on: Place, force: boolean): Promise<number> {
  if (on.kind !== 'member' && on.kind !== 'shell') {
    throw new CliError('Only from a machine on which it was installed: a host, or a command with a shell.');
  }
  const { removeServer, targetOf } = await import('../../engines/index.js');
  const { signal } = new AbortController();
  const removed = await removeServer({
    reached: on,
    files: __dirname,
    version,
    env: console.env,
    force,
    signal,
  });
  const target = targetOf(on);
  switch (removed.kind) {
    case 'removed':
      remark(console, `The server has been removed from ${target}.`);
      return ExitCode.done;
    case 'nothing':
      remark(console, `No server is on ${target}.`);
      return ExitCode.done;
    case 'running': {
      const what = removed.sessions === 1 ? 'One session runs' : `${removed.sessions} sessions run`;
      throw new CliError(`${what} on ${target} and would end. Stop them first, or add --force.`);
    }
  }
}
