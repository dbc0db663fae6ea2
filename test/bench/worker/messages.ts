import type { DriverSpec } from './driver.js';
import type { TaskName } from './tasks.js';

/** What the runner says to a worker: first how to run processes, then what to do, one thing after the other. */
export type ToWorker =
  | { readonly kind: 'open'; readonly driver: DriverSpec }
  | { readonly kind: 'task'; readonly task: TaskName; readonly args: unknown };

/** What a worker answers to each. */
export type FromWorker =
  { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'failed'; readonly message: string };
