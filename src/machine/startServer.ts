import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

import { type Clock, type HostVariables, withoutAgentMarks } from '../core/index.js';
import { homeFolder, withoutMark } from '../local/index.js';

/** The time that a server may take until it listens: a slow machine needs seconds to start Node. */
export const START_LIMIT_MS = 20_000;

/**
 * Starts a server that outlives this program. If this program runs in a session, or is run by an agent, the
 * server does not belong to it.
 *
 * @param argv Its command. It says on its standard output once it listens, and on its standard error why it does not.
 * @param leave Called with the command's process group once the server listens.
 * @returns undefined once the server listens, or the reason why it does not.
 */
export function startServer(
  [file, ...args]: readonly [string, ...string[]],
  env: HostVariables,
  clock: Clock,
  leave?: (group: number) => void,
): Promise<string | undefined> {
  const home = homeFolder(env) ?? '/';
  const child = spawn(file, args, {
    cwd: existsSync(home) ? home : '/',
    env: withoutAgentMarks(withoutMark(env)),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve) => {
    let said = '';
    const limit = clock.after(START_LIMIT_MS, () => {
      child.kill('SIGKILL');
      resolve('it is not ready yet after a long time');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdout.once('data', () => {
      limit.dispose();
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      if (child.pid !== undefined) {
        leave?.(child.pid);
      }
      resolve(undefined);
    });
    child.once('error', (error) => {
      limit.dispose();
      resolve(error.message);
    });
    child.once('close', (code) => {
      limit.dispose();
      resolve(said.trim() || `it ended with exit code ${code ?? 'unknown'}`);
    });
  });
}
