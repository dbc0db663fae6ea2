import { encodeBase64 } from '../../../protocol/index.js';
import type { ConnectionContext } from '../methodHandlers.js';
import { wordsOf } from './httpError.js';
import { MAX_DELTA_BYTES } from './limits.js';
import type { SendWindow } from './sendWindow.js';

/**
 * Sends a body piece by piece, as fast as the client takes it, and at its end how it ended.
 *
 * @param window Of the connection: a client that takes nothing takes nothing of all its bodies.
 * @param signal Ends the request: its time is over, or the connection is.
 */
export async function streamBody(
  body: AsyncIterable<Uint8Array>,
  requestId: string,
  context: ConnectionContext,
  window: SendWindow,
  signal: AbortSignal,
): Promise<void> {
  let seq = 0;
  const send = (bytes: Uint8Array, state: { done: boolean; error: string | null }, left?: () => void) => {
    seq += 1;
    const delta = { requestId, seq, deltaBase64: encodeBase64(bytes) };
    context.wire.notify('http/request/bodyDelta', { ...delta, ...state }, left);
  };
  let error: string | null = null;
  try {
    for await (const chunk of body) {
      for (let start = 0; start < chunk.length; start += MAX_DELTA_BYTES) {
        const piece = chunk.subarray(start, start + MAX_DELTA_BYTES);
        send(piece, { done: false, error: null }, await window.enter(piece.length, signal));
      }
    }
  } catch (reason) {
    error = `error decoding response body: ${wordsOf(reason)}`;
  }
  if (!context.signal.aborted) {
    send(new Uint8Array(), { done: true, error });
  }
}
