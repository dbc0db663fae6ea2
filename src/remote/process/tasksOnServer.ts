import type { TaskStore } from '../../core/index.js';
import { REQUEST_MS } from '../limits.js';
import type { Calls } from '../session/resumableConnection.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { inOurErrors } from '../session/wireFailures.js';

/** The store of the server, if it keeps tasks. */
export function tasksOnServer({ additions }: ServerFacts, calls: Calls): TaskStore | undefined {
  const options = { timeoutMs: REQUEST_MS, repeat: true };
  return additions.tasks === true
    ? {
        keep: async (taskId, text, isFinal) =>
          (await inOurErrors(calls.call('task/keep', { taskId, text, isFinal }, options))).text,
        read: async (taskId) => (await inOurErrors(calls.call('task/read', { taskId }, options))).text,
      }
    : undefined;
}
