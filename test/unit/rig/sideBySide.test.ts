import assert from 'node:assert/strict';
import { setImmediate as untilAllHaveReacted } from 'node:timers/promises';

import { runSideBySide, type Job } from '../../rig/sideBySide.js';

/** Jobs that the test ends, with the list of those that have begun. */
class Jobs {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();

  job(name: string, more: Partial<Job> = {}): Job {
    return {
      name,
      run: () => {
        this.begun.push(name);
        return new Promise((resolve, reject) => this.#ends.set(name, { resolve, reject }));
      },
      ...more,
    };
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.resolve();
    await untilAllHaveReacted();
  }

  async fail(name: string): Promise<void> {
    this.#ends.get(name)?.reject(new Error(`${name} failed`));
    await untilAllHaveReacted();
  }
}

describe('Jobs side by side', () => {
  let jobs: Jobs;
  beforeEach(() => {
    jobs = new Jobs();
  });
  const list = (...names: readonly string[]): Job[] => names.map((name) => jobs.job(name));

  it('begin in order, as many at once as are allowed', async () => {
    const all = runSideBySide(list('a', 'b', 'c', 'd'), 2);
    assert.deepEqual(jobs.begun, ['a', 'b']);
    await jobs.end('b');
    assert.deepEqual(jobs.begun, ['a', 'b', 'c']);
    await jobs.end('a');
    await jobs.end('c');
    await jobs.end('d');
    await all;
    assert.deepEqual(jobs.begun, ['a', 'b', 'c', 'd']);
  });

  it('wait for those that they come after, and let others pass', async () => {
    const all = runSideBySide([jobs.job('a'), jobs.job('b', { after: ['a'] }), jobs.job('c')], 2);
    assert.deepEqual(jobs.begun, ['a', 'c']);
    await jobs.end('c');
    assert.deepEqual(jobs.begun, ['a', 'c']);
    await jobs.end('a');
    assert.deepEqual(jobs.begun, ['a', 'c', 'b']);
    await jobs.end('b');
    await all;
  });

  it('need not wait for one that is not in the list', async () => {
    const all = runSideBySide([jobs.job('b', { after: ['a'] })], 2);
    assert.deepEqual(jobs.begun, ['b']);
    await jobs.end('b');
    await all;
  });

  it('do not run beside a job that must be alone', async () => {
    const all = runSideBySide(
      [jobs.job('a'), jobs.job('b', { alone: true }), jobs.job('c'), jobs.job('d')],
      2,
    );
    assert.deepEqual(jobs.begun, ['a', 'c']);
    await jobs.end('a');
    assert.deepEqual(jobs.begun, ['a', 'c', 'd']);
    await jobs.end('c');
    await jobs.end('d');
    assert.deepEqual(jobs.begun, ['a', 'c', 'd', 'b']);
    await jobs.end('b');
    await all;
  });

  it('do not begin beside a job that must be alone', async () => {
    const all = runSideBySide([jobs.job('a', { alone: true }), jobs.job('b')], 2);
    assert.deepEqual(jobs.begun, ['a']);
    await jobs.end('a');
    assert.deepEqual(jobs.begun, ['a', 'b']);
    await jobs.end('b');
    await all;
  });

  it('end before the failure of one is told, and no other begins', async () => {
    const all = runSideBySide(list('a', 'b', 'c'), 2);
    let told = false;
    all.catch(() => (told = true));
    await jobs.fail('a');
    assert.equal(told, false);
    await jobs.end('b');
    await assert.rejects(all, /a failed/);
    assert.deepEqual(jobs.begun, ['a', 'b']);
  });

  it('do not begin once nothing may go on', async () => {
    let goesOn = true;
    const all = runSideBySide(list('a', 'b'), 1, () => goesOn);
    goesOn = false;
    await jobs.end('a');
    await all;
    assert.deepEqual(jobs.begun, ['a']);
  });

  it('are refused if they wait for each other', async () => {
    const circle = [jobs.job('a', { after: ['b'] }), jobs.job('b', { after: ['a'] })];
    await assert.rejects(runSideBySide(circle, 2), /a waits for itself, or for another that waits for it/);
  });
});
