import type { SessionsCommand } from './commandLine.js';
import { SESSION_SERVER_IDLE_SECONDS } from './limits.js';
import { DEFAULT_QUOTAS } from './quotas.js';
import { serve } from './serveCommand.js';

/** The longest time that a process stays without a client: longer than any machine runs. */
const LONG_SECONDS = 2_000_000;

/**
 * Has the sessions of this user on this machine until nobody needs them.
 *
 * @throws StartError
 */
export async function serveSessions({ socket }: SessionsCommand, log: (line: string) => void): Promise<void> {
  await serve(
    {
      kind: 'serve',
      address: { kind: 'unix', path: socket },
      auth: {},
      allowNonLoopback: false,
      openToAll: false,
      retentionSeconds: LONG_SECONDS,
      detachedSessionSeconds: LONG_SECONDS,
      quotas: DEFAULT_QUOTAS,
      exitWhenIdleSeconds: SESSION_SERVER_IDLE_SECONDS,
    },
    log,
  );
}
