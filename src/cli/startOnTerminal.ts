import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { CommandConnectorOptions } from '../remote/index.js';
import type { Console } from './console.js';

/**
 * Starts a program such as ssh so that it can ask at the terminal of this one: in the same process group. Ctrl-C is for
 * the session, so the program ignores it.
 *
 * @returns undefined where nobody could answer.
 */
export function startOnTerminal({ onTerminal, stderr }: Console): CommandConnectorOptions['start'] {
  if (process.platform === 'win32' || !onTerminal.input || !stderr.isTTY) {
    return undefined;
  }
  return async (argv, { env, ...options }) => {
    const child = spawn('/bin/sh', ['-c', 'trap "" INT QUIT; exec "$@"', 'sh', ...argv], {
      ...options,
      ...(env !== undefined && { env: { ...env } }),
      detached: false,
      stdio: 'pipe',
    });
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      throw error;
    }
    return child;
  };
}
