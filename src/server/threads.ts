import { stat } from 'node:fs';

/**
 * Makes the threads on which Node reads files and looks up names.
 *
 * libuv makes all of them (four, or as many as `UV_THREADPOOL_SIZE` says) at the first call that needs one. It aborts
 * the process if it cannot. A command of any session can use up the user's limit of processes, so this comes before
 * everything else. A start that fails looks for the reason in files, and would otherwise end all sessions. At the limit
 * the abort happens here, with nothing to lose yet; Node has no way to ask first.
 */
export function makeThreads(): Promise<void> {
  // One call is enough for all of them. Whether the file is there does not matter.
  return new Promise((resolve) => stat(__filename, () => resolve()));
}
