import { type Clock, delay, type PortListener, systemClock } from '../core/index.js';
import type { Session } from '../sessions/list/index.js';
import { hasUsage } from '../sessions/tree/index.js';
import { nameInMessage } from '../sessions/words/index.js';
import { portsInText } from '../terminal/index.js';
import { newestText } from './output/sessionOutput.js';

/** A process that listens at a port that a session wants. */
export interface PortHolder {
  readonly port: number;
  readonly listener: PortListener;
}

/** The longest time for which a question to a person waits for the ports, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Looks at the ports of sessions, for a question that names them. A machine that is slow keeps those of the last look. */
export async function lookAtPorts(sessions: readonly Session[]): Promise<void> {
  const limit = new AbortController();
  const looks = sessions.filter(hasUsage).map((session) => session.usage());
  await Promise.race([Promise.allSettled(looks), delay(systemClock, PATIENCE_MS, limit.signal)]);
  limit.abort();
}

/** The time between two looks, in milliseconds. */
const LOOK_MS = 100;

/**
 * The ports that a session listens at: all of them if its machine can list them, else the ports that its output names.
 * Empty if its machine cannot tell who listens.
 */
export async function portsOf(session: Session): Promise<readonly number[]> {
  const { capabilities } = session.environment.backend;
  if (!capabilities.listeners || session.state === 'starting') {
    return [];
  }
  const used = capabilities.usage ? await session.usage().catch(() => undefined) : undefined;
  if (used?.ports !== undefined) {
    return used.ports.map(({ port }) => port);
  }
  const named = portsInText(await newestText(session));
  const looks = await Promise.all(
    named.map(async (port) => ({ port, listeners: await listenersAt(session, port) })),
  );
  return looks.filter(({ listeners }) => listeners.some(({ own }) => own)).map(({ port }) => port);
}

/**
 * Waits until no process listens at any of the ports.
 *
 * @param limitMs The longest wait, in milliseconds.
 * @returns the process that still listens at one of them.
 */
export async function untilFree(
  session: Session,
  ports: readonly number[],
  options: { readonly limitMs: number; readonly clock: Clock },
): Promise<PortHolder | undefined> {
  const end = options.clock.now() + options.limitMs;
  for (;;) {
    const holder = await holderOf(session, ports);
    if (holder === undefined || options.clock.now() >= end) {
      return holder;
    }
    await delay(options.clock, LOOK_MS);
  }
}

/** The first process that listens at one of the ports. */
export async function holderOf(session: Session, ports: readonly number[]): Promise<PortHolder | undefined> {
  for (const port of ports) {
    const [listener] = await listenersAt(session, port);
    if (listener !== undefined) {
      return { port, listener };
    }
  }
  return undefined;
}

/** The listening processes; empty if they cannot be found now, so that a restart does not fail for it. */
async function listenersAt(session: Session, port: number): Promise<readonly PortListener[]> {
  return session.process.listeners(port).catch(() => []);
}

/** The name of a listening process, for a message. */
export function holderName({ command, pid, user }: PortListener): string {
  const program = nameInMessage(command ?? user ?? '?');
  return pid === undefined ? program : `${program} (pid ${pid})`;
}
