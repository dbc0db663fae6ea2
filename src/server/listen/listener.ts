import type { Transport } from '../../protocol/index.js';

/** Takes the connections of a listener, each once it is open. */
export type Accept = (transport: Transport) => void;

/** Where clients come in. */
export interface Listener {
  /** What a client is told to connect to. */
  readonly url: string;
  /** Lets nobody in any more. Those who are in stay. */
  close(): void;
}
