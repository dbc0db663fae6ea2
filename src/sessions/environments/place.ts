import type { Disposable, Event } from '../../core/index.js';
import type { EnvironmentSnapshot, ExecEnvironment } from '../list/index.js';

/** A place where processes run, whether or not it can be reached now. */
export interface Place extends Disposable {
  readonly id: string;
  /** The environment to start processes in, now or as soon as the connection is back; undefined if it is not open. */
  readonly open: ExecEnvironment | undefined;
  /** Fires when anything in its snapshot has changed. */
  readonly onDidChange: Event<void>;
  snapshot(): EnvironmentSnapshot;
  /**
   * The environment with its backend, after connecting if need be.
   *
   * @throws EnvironmentError if the attempt was cancelled; otherwise the error of the connection.
   */
  connect(signal?: AbortSignal): Promise<ExecEnvironment>;
  disconnect(): Promise<void>;
}
