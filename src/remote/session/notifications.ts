import { Emitter, type ExitStatus } from '../../core/index.js';
import type { ServerMessageHandlers, ServerNotificationParams } from '../../protocol/index.js';
import type { RemoteEvent } from './remoteEvent.js';

/** A listener for the events of one process. */
export interface Listener {
  told(event: RemoteEvent): void;
}

/**
 * Routes a server's notifications to the listeners of their processes, by the names of the processes in this connection
 * session.
 */
export class NotificationRouter {
  readonly #listeners = new Map<string, Listener>();

  readonly #didChange = new Emitter<ServerNotificationParams<'process/changed'>>();
  /** Fires when the server reports a change of a process, of this client or another one. */
  readonly onDidChange = this.#didChange.event;

  readonly handlers: ServerMessageHandlers = {
    'process/output': ({ processId, seq, stream, chunk, size }) =>
      this.#listeners
        .get(processId)
        ?.told({ type: 'output', seq, stream, bytes: fromBase64(chunk), ...(size && { size }) }),
    'outputFrame': ({ processId, seq, stream, bytes }) =>
      this.#listeners.get(processId)?.told({ type: 'output', seq, stream, bytes, lent: true }),
    'process/exited': ({ processId, seq, ...said }) =>
      this.#listeners.get(processId)?.told({ type: 'exited', seq, status: exitStatus(said) }),
    'process/closed': ({ processId, seq }) => this.#listeners.get(processId)?.told({ type: 'closed', seq }),
    'process/changed': (change) => this.#didChange.fire(change),
    'process/gap': ({ processId, fromSeq, throughSeq, bytes, modes }) =>
      this.#listeners.get(processId)?.told({
        type: 'gap',
        seq: fromSeq,
        throughSeq: Math.max(fromSeq, throughSeq),
        ...(bytes !== undefined && { bytes }),
        ...(modes !== undefined && { modes }),
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
 * Reads an exit. The real server sends only the exit code. The code 137 may mean a kill, or may be the code of a shell
 * whose last command was killed. Only a signal that the server names therefore counts as one.
 */
export function exitStatus(said: {
  readonly exitCode?: number | null | undefined;
  readonly exitSignal?: string | undefined;
  readonly sandboxDenied?: boolean | null | undefined;
  readonly deniedFile?: string | undefined;
}): ExitStatus {
  const { exitCode, exitSignal: signal, sandboxDenied, deniedFile } = said;
  const file = deniedFile === undefined || deniedFile.length > MOST_FILE_CHARACTERS ? undefined : deniedFile;
  return {
    exitCode: exitCode ?? -1,
    ...(signal !== undefined && SIGNAL.test(signal) && { signal }),
    ...(sandboxDenied === true && { refused: file === undefined ? {} : { file } }),
  };
}

/** The longest path that Linux takes has 4,096 bytes. */
const MOST_FILE_CHARACTERS = 4_096;

/** A name such as `SIGTERM` or `SIGRTMIN+1`, or `signal 40` for a signal without a name. */
const SIGNAL = /^[A-Za-z0-9+ -]{1,32}$/;

/** Decodes output without checking the base64: output can be any bytes, so faults of the server would do no harm. */
export function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
