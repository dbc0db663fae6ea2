import type { Writable } from 'node:stream';

import type { Transport } from '../../../src/protocol/index.js';
import { TransportState } from '../../../src/protocol/transport/transportState.js';

/** A transport whose other end is the test. */
export class FakeTransport extends TransportState implements Transport {
  readonly peer: string;
  readonly sent: string[] = [];
  readonly sentBytes: Buffer[] = [];
  carriesBytes = false;
  paused = false;
  bufferedBytes = 0;
  /** Whether messages are handed to the system at once. */
  flushes = true;

  constructor(peer = 'websocket 127.0.0.1:1') {
    super();
    this.peer = peer;
  }

  /** The messages that were sent, parsed. */
  get messages(): unknown[] {
    return this.sent.map((text): unknown => JSON.parse(text));
  }

  send(message: string | Buffer, flushed?: () => void): void {
    if (this.end === undefined) {
      this.sent.push(message.toString());
      if (this.flushes) {
        flushed?.();
      }
    }
  }

  sendBytes(message: Buffer, flushed?: () => void): void {
    if (this.end === undefined) {
      this.sentBytes.push(message);
      if (this.flushes) {
        flushed?.();
      }
    }
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
  }

  close(reason = 'closed'): void {
    this.finish({ reason });
  }

  destroy(reason: string): void {
    this.finish({ reason });
  }

  /** Delivers a message of the other side: a string unchanged, anything else as JSON. */
  receive(message: unknown): void {
    this.deliver(typeof message === 'string' ? message : JSON.stringify(message));
  }

  receiveBytes(message: Buffer): void {
    this.deliverBytes(message);
  }
}

/** Lets everything happen that needs no more than turns of the event loop. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The calls with which a stream hands what is written to the system, each as the number of its pieces. */
export function handedTo(stream: Writable): readonly number[] {
  const calls: number[] = [];
  const target = stream as Required<Pick<Writable, '_write' | '_writev'>>;
  const [write, writev] = [target._write.bind(stream), target._writev.bind(stream)];
  target._write = (...args) => {
    calls.push(1);
    write(...args);
  };
  target._writev = (chunks, done) => {
    calls.push(chunks.length);
    writev(chunks, done);
  };
  return calls;
}
