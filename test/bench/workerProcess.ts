import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { startOwned } from '../rig/lifetime.js';
import type { DriverSpec } from './worker/driver.js';
import type { FromWorker, ToWorker } from './worker/messages.js';
import type { TaskName, Tasks } from './worker/tasks.js';

/** A contender at work, in a process of its own. */
export interface Worker {
  readonly pid: number;
  /** @throws Error if the task fails or exceeds the time limit. */
  call<T extends TaskName>(task: T, args: Tasks[T]['args']): Promise<Tasks[T]['result']>;
  stop(): Promise<void>;
}

/** @throws Error if no worker of that name takes part. */
export function workerNamed(workers: ReadonlyMap<string, Worker>, name: string): Worker {
  const worker = workers.get(name);
  if (worker === undefined) throw new Error(`${name} does not take part.`);
  return worker;
}

/** Far more than any task needs, and short enough for a benchmark to continue after a task that hangs. */
const TASK_LIMIT_MS = 180_000;

/** @param program The bundled worker. */
export async function startWorker(program: string, driver: DriverSpec, folder: string): Promise<Worker> {
  const owned = await startOwned(
    process.execPath,
    ['--expose-gc', program],
    { cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    { marker: folder },
  );
  const ask = async (message: ToWorker): Promise<unknown> => {
    const limit = new AbortController();
    try {
      const said = await Promise.race([
        answerOf(owned.child, message),
        owned.exited.then((how): FromWorker => ({ kind: 'failed', message: `The worker ${how}.` })),
        delay(TASK_LIMIT_MS, undefined, { signal: limit.signal }).then((): FromWorker => ({
          kind: 'failed',
          message: `No end after ${TASK_LIMIT_MS / 1000} s.`,
        })),
      ]);
      if (said.kind === 'failed') {
        throw new Error(said.message);
      }
      return said.result;
    } finally {
      limit.abort();
    }
  };
  await ask({ kind: 'open', driver });
  return {
    pid: owned.pid,
    call: async <T extends TaskName>(task: T, args: Tasks[T]['args']) =>
      (await ask({ kind: 'task', task, args })) as Tasks[T]['result'],
    stop: async () => {
      await owned.stop();
    },
  };
}

function answerOf(child: ChildProcess, message: ToWorker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    child.once('message', (said) => resolve(said as FromWorker));
    child.send(message, (error) => {
      if (error !== null) reject(error);
    });
  });
}
