import assert from 'node:assert/strict';

import { cancellable, Lock } from '../../../../src/agent/session/lock.js';
import { CallCancelled } from '../../../../src/agent/toolError.js';

/** A promise that its test settles. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('A lock', () => {
  it('lets one work at a time, in the order in which they came', async () => {
    const lock = new Lock();
    const order: string[] = [];
    const first = gate();
    const works = ['one', 'two', 'three'].map((name) =>
      lock.run(async () => {
        order.push(`${name} begins`);
        await (name === 'one' ? first.passed : turn());
        order.push(`${name} ends`);
        return name;
      }),
    );
    await turn();
    assert.deepEqual(order, ['one begins']);
    first.open();
    assert.deepEqual(await Promise.all(works), ['one', 'two', 'three']);
    assert.deepEqual(order, [
      'one begins',
      'one ends',
      'two begins',
      'two ends',
      'three begins',
      'three ends',
    ]);
  });

  it('goes on after work that has failed', async () => {
    const lock = new Lock();
    const failed = lock.run(() => Promise.reject(new Error('no')));
    const next = lock.run(() => Promise.resolve('yes'));
    await assert.rejects(failed, /no/);
    assert.equal(await next, 'yes');
  });

  it('lets a waiting call give up, and none gets ahead by that', async () => {
    const lock = new Lock();
    const first = gate();
    const order: string[] = [];
    const one = lock.run(async () => {
      await first.passed;
      order.push('one');
    });
    const abort = new AbortController();
    const two = lock.run(() => Promise.resolve(order.push('two')), abort.signal);
    const three = lock.run(() => Promise.resolve(order.push('three')));
    abort.abort();
    await assert.rejects(two, CallCancelled);
    await turn();
    assert.deepEqual(order, []);
    first.open();
    await Promise.all([one, three]);
    assert.deepEqual(order, ['one', 'three']);
  });

  it('does not run work whose call was cancelled before', async () => {
    const work = new Lock().run(() => assert.fail('It ran.'), AbortSignal.abort());
    await assert.rejects(work, CallCancelled);
  });
});

describe('A cancellable promise', () => {
  it('leaves no listener', async () => {
    const abort = new AbortController();
    let listeners = 0;
    const { signal } = abort;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    assert.equal(await cancellable(Promise.resolve(3), signal), 3);
    await turn();
    assert.equal(listeners, 0);
  });

  it('does not mind a rejection that nobody waits for any more', async () => {
    const abort = new AbortController();
    const late = gate();
    const waiting = cancellable(
      late.passed.then(() => Promise.reject(new Error('late'))),
      abort.signal,
    );
    abort.abort();
    await assert.rejects(waiting, CallCancelled);
    late.open();
    await turn();
  });
});
