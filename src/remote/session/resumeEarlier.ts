import { delay, isExecError, messageOf } from '../../core/index.js';
import { WireCode, WireError } from '../../protocol/index.js';
import { EARLIER_RETRY_MS, EARLIER_WAIT_MS } from '../limits.js';
import { openWire, type OpenWire, type WireOptions } from './openWire.js';

/**
 * Resumes the session of an earlier client. The server may still consider that client connected, since the end of a
 * window is not the end of its connection. The attempt is then repeated for a moment.
 *
 * @returns undefined if the server does not give the session back: a new one has to do.
 * @throws ExecError of a {@link ConnectFailure}.
 */
export async function resumeEarlier(
  options: WireOptions,
  sessionId: string,
  signal: AbortSignal | undefined,
): Promise<OpenWire | undefined> {
  const { clock, connector, log } = options;
  const since = clock.now();
  for (;;) {
    try {
      return await openWire(options, sessionId, signal);
    } catch (error) {
      if (isExecError(error)) {
        throw error;
      }
      if (!isTaken(error) || clock.now() - since >= EARLIER_WAIT_MS) {
        log(`The earlier session with ${connector.label} cannot be resumed: ${messageOf(error)}`);
        return undefined;
      }
      await delay(clock, EARLIER_RETRY_MS, signal);
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof WireError && error.code === WireCode.sessionAttached;
}
