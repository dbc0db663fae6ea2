import { AsyncLocalStorage } from 'node:async_hooks';

import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server';

import { Alarm, type Clock, type Disposable } from '../core/index.js';
import { EVENT_COST, MOST_EVENT_BYTES, RESUME_MS } from './limits.js';

/** A message that was sent, or could not be sent, with its number in the session. */
interface StoredEvent {
  readonly number: number;
  readonly message: JSONRPCMessage;
}

/** The stream of the answer to one POST, from its first event until it can no longer be resumed. */
interface Stream {
  readonly id: StreamId;
  readonly events: StoredEvent[];
  readonly end: Alarm;
  /** Ends the operation that the client waits for on this stream. */
  readonly cancel: () => void;
  /** The newest request for the stream. The end of a replaced request means nothing. */
  request: Request;
  bytes: number;
  answered: boolean;
}

/** A POST in progress. The SDK chooses its stream later. */
interface Posted {
  /** It must be held: otherwise nothing would abort its signal. */
  readonly request: Request;
  readonly cancel: () => void;
  stream?: Stream;
}

/**
 * The streams of one MCP session. A client whose stream is cut opens it again with the id of the last event that it
 * got. It then gets the following events, including those that came meanwhile. If no client does so in time, the call
 * is cancelled. A call whose stream had no event yet is cancelled at once: its stream could not be resumed.
 */
export class ResumableStreams implements EventStore, Disposable {
  readonly #clock: Clock;
  /** The oldest first. */
  readonly #streams = new Map<StreamId, Stream>();
  readonly #posted = new AsyncLocalStorage<Posted>();
  #bytes = 0;
  #events = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Answers a request with `answer`. The end of the request is hidden from it as long as the request may be resumed.
   */
  async serve(request: Request, answer: (request: Request) => Promise<Response>): Promise<Response> {
    const lastEvent = request.headers.get('last-event-id');
    if (request.method === 'GET' && lastEvent !== null) {
      const stream = this.#streams.get(streamOf(lastEvent));
      if (stream === undefined) {
        return tooLate();
      }
      this.#connect(stream, request);
      return answer(request);
    }
    const lasting = new AbortController();
    const posted: Posted = { request, cancel: () => lasting.abort() };
    request.signal.addEventListener('abort', () => {
      if (posted.stream === undefined) {
        posted.cancel();
      }
    });
    return this.#posted.run(posted, () => answer(new Request(request, { signal: lasting.signal })));
  }

  /** Called by the SDK for each message, and before the first one with an empty message. */
  async storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    this.#events += 1;
    const id = `${streamId}/${this.#events}`;
    const stream = this.#streams.get(streamId) ?? this.#begin(streamId);
    if (stream !== undefined) {
      const bytes = EVENT_COST + JSON.stringify(message).length;
      stream.events.push({ number: this.#events, message });
      stream.bytes += bytes;
      this.#bytes += bytes;
      if (isAnswer(message)) {
        stream.answered = true;
        this.#endSoon(stream);
      }
      this.#shrink(stream);
    }
    return Promise.resolve(id);
  }

  /** Called by the SDK when a client has opened a stream again. */
  async replayEventsAfter(
    lastEventId: EventId,
    { send }: { readonly send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const streamId = streamOf(lastEventId);
    const last = Number(lastEventId.slice(streamId.length + 1));
    for (const { number, message } of this.#streams.get(streamId)?.events ?? []) {
      if (number > last) {
        await send(`${streamId}/${number}`, message);
      }
    }
    return streamId;
  }

  dispose(): void {
    [...this.#streams.values()].forEach((stream) => this.#forget(stream));
  }

  /** Begins the stream of the POST that the SDK answers now. The SDK stores nothing outside of a POST. */
  #begin(id: StreamId): Stream | undefined {
    const posted = this.#posted.getStore();
    if (posted === undefined || posted.stream !== undefined) {
      return undefined;
    }
    const { request, cancel } = posted;
    const end = new Alarm(this.#clock);
    const stream: Stream = { id, events: [], end, cancel, request, bytes: 0, answered: false };
    posted.stream = stream;
    this.#streams.set(id, stream);
    this.#connect(stream, request);
    return stream;
  }

  #connect(stream: Stream, request: Request): void {
    stream.request = request;
    if (!stream.answered) {
      stream.end.dispose();
    }
    const cut = (): void => {
      if (stream.request === request && this.#streams.has(stream.id)) {
        this.#endSoon(stream);
      }
    };
    request.signal.addEventListener('abort', cut, { once: true });
    if (request.signal.aborted) {
      cut();
    }
  }

  #endSoon(stream: Stream): void {
    stream.end.set(RESUME_MS, () => this.#forget(stream));
  }

  #forget(stream: Stream): void {
    if (this.#streams.delete(stream.id)) {
      this.#bytes -= stream.bytes;
      stream.end.dispose();
      stream.cancel();
    }
  }

  /** Forgets the oldest answers if there are too many, but never the newest one. */
  #shrink(newest: Stream): void {
    for (const stream of this.#streams.values()) {
      if (this.#bytes <= MOST_EVENT_BYTES) {
        return;
      }
      if (stream.answered && stream !== newest) {
        this.#forget(stream);
      }
    }
  }
}

/** The stream in an event's id, which consists of its stream's id and a number. */
function streamOf(eventId: EventId): StreamId {
  return eventId.slice(0, Math.max(0, eventId.lastIndexOf('/')));
}

function isAnswer(message: JSONRPCMessage): boolean {
  return 'result' in message || 'error' in message;
}

function tooLate(): Response {
  const error = { code: -32000, message: 'It is too late to resume this stream: call the tool again.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 });
}
