import { EARLY_BYTES, EARLY_EVENTS } from '../limits.js';
import { toKeep, type RemoteEvent } from '../session/remoteEvent.js';

/** What a server tells of a process before it is known what that is. What is more is read afterwards. */
export class EarlyEvents {
  readonly #events: RemoteEvent[] = [];
  #bytes = 0;

  add(event: RemoteEvent): void {
    const size = event.type === 'output' ? event.bytes.byteLength : 0;
    if (this.#events.length < EARLY_EVENTS && this.#bytes + size <= EARLY_BYTES) {
      this.#events.push(toKeep(event));
      this.#bytes += size;
    }
  }

  get events(): readonly RemoteEvent[] {
    return this.#events;
  }
}
