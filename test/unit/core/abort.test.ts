import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';

import { onAbort, untilAborted } from '../../../src/core/index.js';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('calls when the signal is aborted, once', () => {
    const controller = new AbortController();
    let calls = 0;
    onAbort(controller.signal, () => (calls += 1));
    assert.equal(calls, 0);
    controller.abort();
    controller.abort();
    assert.equal(calls, 1);
  });

  it('calls at once if it is aborted already', () => {
    let calls = 0;
    onAbort(AbortSignal.abort(), () => (calls += 1)).dispose();
    assert.equal(calls, 1);
  });

  it('never calls after it was disposed, and leaves nothing at the signal', () => {
    const controller = new AbortController();
    const listening = onAbort(controller.signal, () => assert.fail('called'));
    assert.equal(listenersOf(controller.signal), 1);
    listening.dispose();
    assert.equal(listenersOf(controller.signal), 0);
    controller.abort();
  });

  it('never calls without a signal', () => {
    onAbort(undefined, () => assert.fail('called')).dispose();
  });
});

describe('untilAborted', () => {
  it('gives what the work gives, and leaves nothing at the signal', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve('done'), signal), 'done');
    await assert.rejects(untilAborted(Promise.reject(new Error('failed')), signal), /failed/);
    await Promise.resolve();
    assert.equal(listenersOf(signal), 0);
    assert.equal(await untilAborted(Promise.resolve('done'), undefined), 'done');
  });

  it('rejects with the reason of the signal while the work goes on', async () => {
    const controller = new AbortController();
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => (fail = reject));
    const waiting = untilAborted(work, controller.signal);
    controller.abort(new Error('given up'));
    await assert.rejects(waiting, /given up/);
    // Node would report this one as unhandled.
    fail(new Error('nobody waits any more'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('rejects at once if the signal is aborted already, with another error if one is given', async () => {
    const never = new Promise<never>(() => undefined);
    await assert.rejects(untilAborted(never, AbortSignal.abort()), { name: 'AbortError' });
    const waiting = untilAborted(never, AbortSignal.abort(), () => new Error('mine'));
    await assert.rejects(waiting, /mine/);
  });
});
