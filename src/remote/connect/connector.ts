import type { Transport } from '../../protocol/index.js';

/** A way to a server, which can be gone again and again. */
export interface Connector {
  /** Where it leads, for people; nothing secret is in it. */
  readonly label: string;
  /** Whether it is a program that this side starts. */
  readonly isCommand?: boolean;
  /**
   * Opens a transport.
   *
   * @throws ExecError of a {@link ConnectFailure}; the reason of `signal` if that is aborted first.
   */
  connect(signal: AbortSignal): Promise<Transport>;
}
