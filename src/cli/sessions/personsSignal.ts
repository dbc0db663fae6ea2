import { type Clock, type ExecProcess, signalledByPerson } from '../../core/index.js';

/**
 * Sends a session a signal for the person at this command line. If that ends the session, the person has stopped it.
 */
export async function signalAsPerson(process: ExecProcess, name: string, clock: Clock): Promise<void> {
  const before = process.info().metadata['signalledBy'] ?? null;
  await notePersonsSignal(process, name, clock);
  try {
    await process.signal(name);
  } catch (error) {
    // It was not sent.
    await process.describe({ signalledBy: before }).catch(() => undefined);
    throw error;
  }
}

/**
 * Notes that a person has sent a session a signal, or has typed a key that does. Never rejects: a server may not take
 * it.
 */
export async function notePersonsSignal(process: ExecProcess, name: string, clock: Clock): Promise<void> {
  await process.describe(signalledByPerson(name, clock.wallTime())).catch(() => undefined);
}
