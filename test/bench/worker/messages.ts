import type { DriverSpec } from './driver.js';
import type { TaskName } from './tasks.js';

/** The messages from the runner to a worker: first its driver, then its tasks, one after the other. */
export type ToWorker =
  | { readonly kind: 'open'; readonly driver: DriverSpec }
  | { readonly kind: 'task'; readonly task: TaskName; readonly args: unknown };

/** A worker's answer to each message. */
export type FromWorker =
  { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'failed'; readonly message: string };
