import { once } from 'node:events';
import net from 'node:net';

import { type Clock, delay } from '../../core/index.js';

const AGAIN_MS = 250;

/**
 * Waits until a port of the loopback is free to listen on, at most `limitMs` milliseconds, or until `enough` is
 * aborted.
 */
export async function untilFree(
  port: number,
  limitMs: number,
  clock: Clock,
  enough: AbortSignal,
): Promise<void> {
  const end = clock.now() + limitMs;
  while (!enough.aborted && !(await isFree(port)) && clock.now() < end) {
    await delay(clock, AGAIN_MS, enough);
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = net.createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
