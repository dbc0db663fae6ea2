/** Something that takes a while, and may have to wait for others. */
export interface Job {
  readonly name: string;
  /** The names of the jobs that have to be over before it begins. */
  readonly after?: readonly string[];
  /** It begins when nothing else runs, and nothing begins beside it. */
  readonly alone?: boolean;
  run(): Promise<void>;
}

/**
 * Runs jobs side by side, at most `width` at once. They begin in the order of the list, except that a job which has to
 * wait lets the next ones pass.
 *
 * @param goOn Once it says no, no other job begins.
 * @throws Error of the first job that fails, when those beside it are over; the others do not begin.
 */
export async function runSideBySide(
  jobs: readonly Job[],
  width: number,
  goOn: () => boolean = () => true,
): Promise<void> {
  const waiting = [...jobs];
  const running = new Map<Job, Promise<void>>();
  const errors: unknown[] = [];

  const mayBegin = (job: Job): boolean => {
    const isOver = (name: string): boolean =>
      ![...waiting, ...running.keys()].some((other) => other.name === name);
    if (running.size >= width || !(job.after ?? []).every(isOver)) return false;
    return job.alone === true ? running.size === 0 : ![...running.keys()].some(({ alone }) => alone);
  };
  const begin = (job: Job): void => {
    waiting.splice(waiting.indexOf(job), 1);
    const over = job
      .run()
      .catch((error: unknown) => void errors.push(error))
      .finally(() => running.delete(job));
    running.set(job, over);
  };

  while (errors.length === 0 && goOn()) {
    const next = waiting.find(mayBegin);
    if (next !== undefined) begin(next);
    else if (running.size > 0) await Promise.race(running.values());
    else break;
  }
  await Promise.all(running.values());
  if (errors.length > 0) throw errors[0];
  const [never] = waiting;
  if (never !== undefined && goOn())
    throw new Error(`${never.name} waits for itself, or for another that waits for it.`);
}
