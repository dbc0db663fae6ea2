import { ConditionVariable } from '../../../core/index.js';
import { encodeBase64 } from '../../../protocol/index.js';
import type { ConnectionContext } from '../methodHandlers.js';
import { bodyFailed, wordsOf } from './httpError.js';
import { MAX_BUFFERED_BODIES_BYTES, MAX_BUFFERED_BODY_BYTES, MAX_DELTA_BYTES } from './limits.js';

interface BodyLimits {
  readonly one: number;
  readonly all: number;
}

/** The memory for the bodies of one connection that are answered at once, until their answers are made. */
export class BodyMemory {
  readonly #limits: BodyLimits;
  #used = 0;

  constructor(limits: BodyLimits = { one: MAX_BUFFERED_BODY_BYTES, all: MAX_BUFFERED_BODIES_BYTES }) {
    this.#limits = limits;
  }

  /**
   * Reads a body to its end.
   *
   * @param use Makes the answer of the body; until it is done the body counts against the limits.
   * @throws WireError if the body, or all bodies of the connection together, are too large; the error of the body.
   */
  async collect<T>(body: AsyncIterable<Uint8Array>, use: (bytes: Uint8Array) => Promise<T>): Promise<T> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of body) {
        length += chunk.length;
        this.#used += chunk.length;
        this.#check(length);
        chunks.push(chunk);
      }
      return await use(Buffer.concat(chunks));
    } finally {
      this.#used -= length;
    }
  }

  #check(length: number): void {
    const { one, all } = this.#limits;
    if (length > one) {
      throw bodyFailed(`it is larger than ${one} bytes; ask for it with streamResponse`);
    }
    if (this.#used > all) {
      throw bodyFailed(`the bodies under way are larger than ${all} bytes; ask for fewer at once`);
    }
  }
}

/**
 * Sends a body piece by piece, as fast as the client takes it, and at the end how the body ended.
 *
 * @param window Shared by all bodies of the connection: a client that does not read stops all of them.
 * @param signal Ends the request when its time is over or the connection has ended.
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

/**
 * The bytes of all streamed bodies of one connection that the client has not taken yet. They are bounded, and so is the
 * memory for a client that does not read.
 */
export class SendWindow {
  readonly #bytes: number;
  readonly #left = new ConditionVariable();
  #underWay = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /**
   * Waits until there is any room, then takes `bytes`, even if the room is smaller.
   *
   * @param signal Ends the waiting.
   * @returns a function to call once these bytes have left.
   * @throws the reason of `signal` if that is aborted.
   */
  async enter(bytes: number, signal: AbortSignal): Promise<() => void> {
    while (this.#underWay >= this.#bytes && !signal.aborted) {
      await this.#left.wait(signal);
    }
    signal.throwIfAborted();
    this.#underWay += bytes;
    return () => {
      this.#underWay -= bytes;
      this.#left.notifyAll();
    };
  }
}
