import type { ExecBackend, StopOptions } from '../../core/index.js';

/** A machine that commands of agents run on, which may not always be there. */
export interface OpenPlace {
  /** The name for people; it contains no secrets. */
  readonly label: string;
  /** A sentence for agents that says why the sessions are not where they belong. */
  readonly notice?: string | undefined;
  /** The backends that sessions of other programs may be on. Starts nothing, and never rejects. */
  others?(): Promise<readonly ExecBackend[]>;
  /** Whether others see its processes, which then go on without this program. */
  isShared(): boolean;
  /**
   * A backend that is connected or reconnecting. If the last one has been lost for good, it is a new one: its processes
   * are over, but new commands can run.
   *
   * @throws Error that can be shown to people and models.
   */
  backend(): Promise<ExecBackend>;
  /** Stops all processes that were started unless they are shared, and closes the connection. */
  close(options: StopOptions): Promise<void>;
}
