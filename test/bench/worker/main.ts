import { BackendDriver } from './backendDriver.js';
import type { Driver, DriverSpec } from './driver.js';
import type { FromWorker, ToWorker } from './messages.js';
import { RawDriver } from './rawDriver.js';
import { createTasks, type TaskHandlers } from './tasks.js';
import { WireDriver } from './wireDriver.js';

/**
 * The worker: each contender has a process of its own, so that none pays for another's garbage or warms another's code.
 */

let tasks: TaskHandlers | undefined;

async function handle(message: ToWorker): Promise<unknown> {
  if (message.kind === 'open') {
    tasks = createTasks(await openDriver(message.driver));
    return null;
  }
  if (tasks === undefined) {
    throw new Error('It has not been opened.');
  }
  const handler = tasks[message.task] as (args: unknown) => Promise<unknown>;
  return handler(message.args);
}

function openDriver(spec: DriverSpec): Promise<Driver> {
  switch (spec.kind) {
    case 'raw':
      return RawDriver.open(spec.through);
    case 'local':
      return Promise.resolve(BackendDriver.local(spec.guard));
    case 'wire':
      return WireDriver.open(spec);
    case 'remote':
      return BackendDriver.remote(spec.address, spec.keepsOutput);
  }
}

process.on('message', (message: ToWorker) => {
  const answer = (said: FromWorker) => process.send?.(said);
  handle(message).then(
    (result) => answer({ kind: 'done', result }),
    (error: unknown) =>
      answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
// The runner is gone.
process.on('disconnect', () => process.exit());
