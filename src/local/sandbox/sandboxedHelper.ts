import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import type { ChildRequest } from '../child/child.js';
import type { SandboxedStart } from './sandboxedStart.js';

/** A program in a sandbox that is not a session, on pipes. */
export interface SandboxedHelper {
  readonly child: ChildProcess;
  /** Its own number, as everybody outside sees it; undefined if it ended before anybody could look. */
  readonly pid: number | undefined;
  /** Resolves when it has ended and nothing of its sandbox is left. */
  readonly ended: Promise<void>;
}

/**
 * @param start Starts the wrapper.
 * @throws ExecError if the sandbox cannot be made.
 */
export async function startSandboxedHelper(
  sandboxed: SandboxedStart,
  start: (request: ChildRequest) => Promise<ChildProcess>,
): Promise<SandboxedHelper> {
  const child = await start(sandboxed.request).catch(async (error: unknown) => {
    await sandboxed.end();
    throw error;
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = once(child, 'close');
  const started = sandboxed.started(child.pid ?? 0, () => closed.then(() => said));
  const ended = Promise.allSettled([closed, started]).then(() => sandboxed.end());
  try {
    await started;
  } catch (error) {
    await ended;
    throw error;
  }
  return { child, pid: sandboxed.pid, ended };
}
