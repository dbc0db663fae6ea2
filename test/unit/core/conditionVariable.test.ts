import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';

import { ConditionVariable } from '../../../src/core/index.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('A condition variable', () => {
  it('wakes all waiting callers, in their order, and none that comes later', async () => {
    const variable = new ConditionVariable();
    const { signal } = new AbortController();
    const seen: string[] = [];
    const wait = async (name: string) => {
      await variable.wait(signal);
      seen.push(name);
    };
    const both = [wait('first'), wait('second')];
    await turn();
    assert.deepEqual(seen, []);
    variable.notifyAll();
    void wait('late');
    await Promise.all(both);
    await turn();
    assert.deepEqual(seen, ['first', 'second']);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
  });

  it('releases a caller that gives up, and no other', async () => {
    const variable = new ConditionVariable();
    const controller = new AbortController();
    const givenUp = variable.wait(controller.signal);
    let woken = false;
    const other = variable.wait(new AbortController().signal).then(() => (woken = true));
    controller.abort();
    await givenUp;
    await variable.wait(controller.signal);
    assert.equal(woken, false);
    variable.notifyAll();
    await other;
  });
});
