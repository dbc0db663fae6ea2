import type { Driver } from './driver.js';
import { doubling, type Doubling } from './tasks/doubling.js';
import { drawTree, type DrawTree } from './tasks/drawTree.js';
import { echo, type Echo } from './tasks/echo.js';
import { endedSessions, type EndedSessions } from './tasks/endedSessions.js';
import { logMemory, type LogMemory } from './tasks/logMemory.js';
import { Many, type ManyListen, type ManyStart, type ManyStop } from './tasks/many.js';
import { startToClosed, type StartToClosed } from './tasks/startToClosed.js';
import { throughput, type Throughput } from './tasks/throughput.js';

/** The tasks of a worker. */
export interface Tasks {
  readonly startToClosed: StartToClosed;
  readonly echo: Echo;
  readonly throughput: Throughput;
  readonly manyStart: ManyStart;
  readonly manyListen: ManyListen;
  readonly manyStop: ManyStop;
  readonly endedSessions: EndedSessions;
  readonly logMemory: LogMemory;
  readonly drawTree: DrawTree;
  readonly doubling: Doubling;
}

export type TaskName = keyof Tasks;

export type TaskHandlers = {
  readonly [T in TaskName]: (args: Tasks[T]['args']) => Promise<Tasks[T]['result']>;
};

export function createTasks(driver: Driver): TaskHandlers {
  const many = new Many(driver);
  return {
    startToClosed: (args) => startToClosed(driver, args),
    echo: (args) => echo(driver, args),
    throughput: (args) => throughput(driver, args),
    manyStart: (args) => many.start(args),
    manyListen: (args) => many.listen(args),
    manyStop: (args) => many.stop(args),
    endedSessions,
    logMemory,
    drawTree,
    doubling,
  };
}
