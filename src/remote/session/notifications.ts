import type { ExitStatus } from '../../core/index.js';
import type { ServerMessageHandlers } from '../../protocol/index.js';
import type { RemoteEvent } from './remoteEvent.js';

/** Who takes what a server tells of one process. */
export interface Listener {
  told(event: RemoteEvent): void;
}

/** Hands on what a server tells of its processes, by the names that this connection session has for them. */
export class NotificationRouter {
  readonly #listeners = new Map<string, Listener>();

  readonly handlers: ServerMessageHandlers = {
    'process/output': ({ processId, seq, stream, chunk }) =>
      this.#listeners.get(processId)?.told({ type: 'output', seq, stream, bytes: fromBase64(chunk) }),
    'outputFrame': ({ processId, seq, stream, bytes }) =>
      this.#listeners.get(processId)?.told({ type: 'output', seq, stream, bytes, lent: true }),
    'process/exited': ({ processId, seq, exitCode, exitSignal }) =>
      this.#listeners.get(processId)?.told({ type: 'exited', seq, status: exitStatus(exitCode, exitSignal) }),
    'process/closed': ({ processId, seq }) => this.#listeners.get(processId)?.told({ type: 'closed', seq }),
    'process/gap': ({ processId, fromSeq, throughSeq, bytes }) =>
      this.#listeners.get(processId)?.told({
        type: 'gap',
        seq: fromSeq,
        throughSeq: Math.max(fromSeq, throughSeq),
        ...(bytes !== undefined && { bytes }),
      }),
  };

  listen(wireId: string, listener: Listener): void {
    this.#listeners.set(wireId, listener);
  }

  forget(wireId: string): void {
    this.#listeners.delete(wireId);
  }
}

/**
 * The real server says only the number: 137 may be a kill, and may as well be what a shell returned whose last command
 * was killed. So a signal is what a server calls one, and nothing else.
 */
export function exitStatus(exitCode: number, signal: string | undefined): ExitStatus {
  return signal === undefined || !SIGNAL.test(signal) ? { exitCode } : { exitCode, signal };
}

/** `SIGTERM`, `SIGRTMIN+1`, or `signal 40` where there is no name. */
const SIGNAL = /^[A-Za-z0-9+ -]{1,32}$/;

/** Output is whatever a program wrote; what is wrong with its base64 would be the server's fault, and harms nobody. */
export function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
