import type { Transport } from '../../protocol/index.js';

/** A way to connect to a server, any number of times. */
export interface Connector {
  /** The name of the target, for people; it contains no secrets. */
  readonly label: string;
  /** Whether the server is reached through a program that this side starts. */
  readonly isCommand?: boolean;
  /**
   * Opens a transport.
   *
   * @throws ExecError of a {@link ConnectFailure}; the reason of `signal` if that is aborted first.
   */
  connect(signal: AbortSignal): Promise<Transport>;
}
