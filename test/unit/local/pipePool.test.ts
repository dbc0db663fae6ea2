import assert from 'node:assert/strict';
import fs, { openSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Pipe } from '../../../src/local/pipes/pipe.js';
import { PipePool, readyPipes } from '../../../src/local/pipes/pipePool.js';
import { FakeClock } from '../../support/fakeClock.js';

/** Makes pipes when it is told to, and knows how many are open. */
class ScriptedMaker {
  readonly asked: number[] = [];
  open = 0;
  signal: AbortSignal | undefined;
  #answer: ((pipes: Pipe[]) => void) | undefined;

  readonly make = (count: number, signal: AbortSignal): Promise<Pipe[]> => {
    this.asked.push(count);
    this.signal = signal;
    return new Promise((resolve) => (this.#answer = resolve));
  };

  async answer(count = this.asked.at(-1) ?? 0): Promise<void> {
    this.#answer?.(Array.from({ length: count }, () => this.#pipe()));
    await settled();
  }

  #pipe(): Pipe {
    this.open += 1;
    const pipe = new Pipe(openSync('/dev/null', 'r'), openSync('/dev/null', 'w'));
    const close = pipe.close.bind(pipe);
    pipe.close = () => {
      this.open -= 1;
      close();
    };
    return pipe;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function settled(): Promise<void> {
  await turn();
  await turn();
}

describe('PipePool', () => {
  let maker: ScriptedMaker;
  let clock: FakeClock;
  let pool: PipePool;
  const given: Pipe[] = [];

  /** Takes pipes; the number of them is pushed once they are there. */
  const take = (count: number, to: (number | undefined)[] = []) => {
    void pool.take(count).then((pipes) => {
      given.push(...(pipes ?? []));
      to.push(pipes?.length);
    });
    return to;
  };

  beforeEach(() => {
    maker = new ScriptedMaker();
    clock = new FakeClock();
    pool = new PipePool(maker.make, clock, 32);
  });

  afterEach(() => {
    pool.dispose();
    for (const pipe of given.splice(0)) {
      pipe.close();
    }
    assert.equal(maker.open, 0, 'a pipe was forgotten');
  });

  it('makes pipes only when they are needed, and then some in advance', async () => {
    assert.deepEqual(maker.asked, []);
    const taken = take(2);
    assert.deepEqual(maker.asked, [34]);
    await maker.answer();
    assert.deepEqual(taken, [2]);
  });

  it('can make some beforehand', async () => {
    pool.prepare();
    pool.prepare();
    assert.deepEqual(maker.asked, [32]);
    await maker.answer();
    const taken = take(32);
    await settled();
    assert.deepEqual([taken, maker.asked], [[32], [32]]);
  });

  it('makes more when half are gone, and not while the program begins that got them', async () => {
    pool.prepare();
    await maker.answer();
    const taken = take(17);
    clock.advance(49);
    await settled();
    assert.deepEqual(maker.asked, [32]);
    clock.advance(1);
    assert.deepEqual([taken, maker.asked], [[17], [32, 17]]);
    await maker.answer();
  });

  it('goes on while somebody waits for more than it keeps, until it can make none', async () => {
    const small = new PipePool(maker.make, clock, 3);
    const taken: (number | undefined)[] = [];
    void small.take(3).then((pipes) => taken.push(pipes?.length));
    assert.deepEqual(maker.asked, [6]);
    await maker.answer(2);
    assert.deepEqual(maker.asked, [6, 4]);
    await maker.answer(0);
    assert.deepEqual(taken, [undefined]);
    small.dispose();
  });

  it('serves callers in order, also one that wants more than the next', async () => {
    const taken = take(3);
    take(1, taken);
    await maker.answer(2);
    assert.deepEqual(taken, []);
    take(1, taken);
    await maker.answer(2);
    assert.deepEqual(taken, [3, 1]);
    await maker.answer();
    assert.deepEqual(taken, [3, 1, 1]);
  });

  it('asks for 64 at most', async () => {
    const taken = Array.from({ length: 100 }, () => take(2));
    await maker.answer();
    await maker.answer();
    await maker.answer();
    await maker.answer();
    assert.deepEqual(maker.asked, [34, 64, 64, 64]);
    assert.ok(taken.every(([count]) => count === 2));
  });

  it('gives none after a failure, says so, and tries again after a rest', async () => {
    assert.equal(pool.available, true);
    const taken = take(2);
    take(1, taken);
    await maker.answer(0);
    take(1, taken);
    await settled();
    assert.deepEqual(taken, [undefined, undefined, undefined]);
    assert.equal(pool.available, false);
    assert.deepEqual(maker.asked.length, 1);

    clock.advance(5_000);
    take(1, taken);
    await maker.answer();
    assert.deepEqual(taken.slice(-1), [1]);
    assert.equal(pool.available, true);
  });

  it('makes no caller wait long, and keeps late pipes for the next one', async () => {
    const taken = take(2);
    clock.advance(1_999);
    await settled();
    assert.deepEqual([taken, pool.available], [[], true]);
    clock.advance(1);
    await settled();
    assert.deepEqual([taken, pool.available], [[undefined], false]);
    take(1, taken);
    await settled();
    assert.deepEqual([taken, maker.asked.length], [[undefined, undefined], 1]);

    await maker.answer();
    take(1, taken);
    await settled();
    assert.deepEqual([taken.at(-1), pool.available], [1, true]);
  });

  it('does not make callers wait after a slow attempt, but still tries again', async () => {
    take(1);
    clock.advance(2_000);
    await maker.answer(0);
    clock.advance(5_000);
    const taken = take(1);
    await settled();
    assert.deepEqual([taken, maker.asked.length, pool.available], [[undefined], 2, false]);
    await maker.answer();
    assert.equal(pool.available, true);
  });

  it('takes an error for a failure', async () => {
    pool = new PipePool(() => Promise.reject(new Error('EMFILE')), clock, 32);
    assert.equal(await pool.take(1), undefined);
    assert.equal(pool.available, false);
  });

  it('gives none on a machine that has none', async () => {
    pool = new PipePool(undefined, clock, 32);
    pool.prepare();
    assert.equal(await pool.take(1), undefined);
    assert.equal(pool.available, false);
  });

  it('gives none once it is disposed of, and closes those that are still being made', async () => {
    const taken = take(1);
    pool.dispose();
    await settled();
    assert.deepEqual([taken, maker.signal?.aborted], [[undefined], true]);
    await maker.answer();
    assert.equal(maker.open, 0);
    assert.equal(await pool.take(1), undefined);
    assert.equal(maker.asked.length, 1);
  });

  it('makes none for a time after its end', async () => {
    pool.prepare();
    await maker.answer();
    take(32);
    pool.dispose();
    assert.equal(clock.pendingTimers, 0);
  });
});

describe('readyPipes', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-limits-'));
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  function readyWith(descriptors: number | string): number {
    const file = path.join(folder, 'limits');
    const rows = ['Limit Soft Limit Hard Limit Units', 'Max core file size 0 unlimited bytes'];
    fs.writeFileSync(file, [...rows, `Max open files            ${descriptors}  9999  files`, ''].join('\n'));
    return readyPipes(file);
  }

  it('leaves most descriptors to connections and terminals', () => {
    assert.deepEqual([40, 64, 256, 512].map(readyWith), [3, 3, 8, 16]);
  });

  it('are no more where there are many', () => {
    assert.deepEqual([1_024, 1_048_576, 'unlimited'].map(readyWith), [32, 32, 32]);
  });

  it('does without the file', () => {
    assert.equal(readyPipes(path.join(folder, 'nothing')), 32);
  });
});
