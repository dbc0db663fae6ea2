import assert from 'node:assert/strict';

import { DisposableStore, Emitter, systemClock, type Disposable } from '../../../src/core/index.js';

describe('Emitter', () => {
  it('calls listeners in order, each as often as it subscribed', () => {
    const emitter = new Emitter<number>();
    const seen: string[] = [];
    const first = (value: number) => seen.push(`first ${value}`);
    const one = emitter.event(first);
    emitter.event((value) => seen.push(`second ${value}`));
    emitter.event(first);
    emitter.fire(1);
    one.dispose();
    emitter.fire(2);
    assert.deepEqual(seen, ['first 1', 'second 1', 'first 1', 'second 2', 'first 2']);
  });

  it('calls no listener that was removed or added during the same event', () => {
    const emitter = new Emitter<void>();
    const seen: string[] = [];
    const others: Disposable[] = [];
    emitter.event(() => {
      seen.push('first');
      others[0]?.dispose();
      emitter.event(() => seen.push('late'));
    });
    others.push(emitter.event(() => seen.push('gone')));
    emitter.fire();
    assert.deepEqual(seen, ['first']);
  });

  it('has no listeners once it is disposed', () => {
    const emitter = new Emitter<void>();
    emitter.event(() => assert.fail('called'));
    emitter.dispose();
    emitter.event(() => assert.fail('called'));
    assert.equal(emitter.observed, false);
    emitter.fire();
  });
});

describe('DisposableStore', () => {
  it('disposes the last first, and what comes later at once', () => {
    const seen: string[] = [];
    const store = new DisposableStore();
    store.add({ dispose: () => seen.push('one') });
    store.add({ dispose: () => seen.push('two') });
    store.dispose();
    store.dispose();
    store.add({ dispose: () => seen.push('late') });
    assert.deepEqual(seen, ['two', 'one', 'late']);
  });

  it('disposes a deleted object once, and drops it', () => {
    const seen: string[] = [];
    const store = new DisposableStore();
    const one = store.add({ dispose: () => seen.push('one') });
    store.add({ dispose: () => seen.push('two') });
    store.delete(one);
    assert.deepEqual(seen, ['one']);
    store.dispose();
    assert.deepEqual(seen, ['one', 'two']);
  });
});

describe('The system clock', () => {
  it('does not treat a time beyond the longest timer as zero', async () => {
    let early = false;
    const timer = systemClock.after(1e12, () => {
      early = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    timer.dispose();
    assert.equal(early, false);
  });
});
