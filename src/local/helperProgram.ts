import { spawn, type ChildProcess } from 'node:child_process';

import type { Guard } from './guard/guard.js';
import type { OpenTerminals } from './openTerminals.js';
import { identify } from './posixSession.js';

/** The options of a helper: a program that nobody sees, and that serves this process over pipes. */
export interface HelperOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Makes it the leader of a POSIX session, which the guard then ends if this process dies. */
  readonly detached: boolean;
  readonly windowsHide: boolean;
}

/** Starts a helper that cannot reach the terminals of this process and does not outlive it. */
export function startHelper(
  [program, ...args]: readonly [string, ...string[]],
  { env, ...options }: HelperOptions,
  openTerminals: OpenTerminals,
  guard: Guard | undefined,
): ChildProcess {
  const child = spawn(program, args, {
    ...options,
    ...(env !== undefined && { env: { ...env } }),
    stdio: openTerminals.shield(['pipe', 'pipe', 'pipe']),
  });
  if (child.pid !== undefined) {
    const identity = identify(child.pid);
    guard?.watch(identity);
    child.once('exit', () => guard?.unwatchWhenEmpty(identity));
  }
  return child;
}
