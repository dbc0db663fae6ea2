import assert from 'node:assert/strict';

import { storeWhere, type TaskStore, TasksInMemory } from '../../../../src/core/index.js';

describe('Tasks in memory', () => {
  it('are what was kept last', () => {
    const tasks = new TasksInMemory();
    assert.equal(tasks.read('a'), undefined);
    assert.equal(tasks.keep('a', 'one', false), 'one');
    assert.equal(tasks.keep('a', 'two', false), 'two');
    assert.equal(tasks.read('a'), 'two');
    assert.equal(tasks.read('__proto__'), undefined);
  });

  it('end once: of a cancel and an end the first wins, and both get it', () => {
    const tasks = new TasksInMemory();
    tasks.keep('a', 'waits', false);
    assert.equal(tasks.keep('a', 'cancelled', true), 'cancelled');
    assert.equal(tasks.keep('a', 'ended', true), 'cancelled');
    assert.equal(tasks.keep('a', 'waits', false), 'cancelled');
    assert.equal(tasks.read('a'), 'cancelled');
  });

  it('are refused when too many wait, and those there go on', () => {
    const tasks = new TasksInMemory();
    for (let at = 0; at < 10_000; at += 1) {
      tasks.keep(`task ${at}`, 'waits', false);
    }
    const refusal = /^The exec-server refused: 10000 tasks are waiting already\.$/;
    assert.throws(() => tasks.keep('one more', 'waits', false), { message: refusal });
    assert.equal(tasks.keep('task 5', 'ended', true), 'ended');
    assert.equal(tasks.read('task 0'), 'waits');
  });

  it('make room: the ones that ended first are forgotten, however long they have waited', () => {
    const tasks = new TasksInMemory({ count: 3 });
    ['a', 'b', 'c'].forEach((id) => tasks.keep(id, 'waits', false));
    tasks.keep('b', 'ended', true);
    tasks.keep('a', 'ended', true);
    tasks.keep('d', 'waits', false);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((id) => tasks.read(id)),
      ['ended', undefined, 'waits', 'waits'],
    );
  });

  it('have bounds in characters, for each and for all', () => {
    const tasks = new TasksInMemory({ charactersOfEach: 10, characters: 20 });
    assert.throws(() => tasks.keep('a', '0123456789', false), { message: /at most 10 characters/ });
    ['a', 'b', 'c'].forEach((id) => tasks.keep(id, 'waits', false));
    tasks.keep('a', '123456789', true);
    tasks.keep('b', '123456789', true);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => tasks.read(id)),
      [undefined, '123456789', 'waits'],
    );
    tasks.keep('c', '123456789', true);
    assert.deepEqual(
      ['b', 'c'].map((id) => tasks.read(id)),
      ['123456789', '123456789'],
    );
  });
});

describe('A store of tasks that is found anew', () => {
  it('is memory as long as nothing is found', async () => {
    const there = new TasksInMemory();
    const place: { store?: TaskStore } = {};
    const store = storeWhere(() => Promise.resolve(place.store));
    await store.keep('early', 'waits', false);
    place.store = there;
    await store.keep('late', 'waits', false);
    assert.equal(there.read('late'), 'waits');
    assert.equal(await store.keep('early', 'ended', true), 'ended');
    assert.equal(await store.read('early'), 'ended');
    assert.equal(there.read('early'), undefined);
  });

  it('fails with the look for it', async () => {
    const store = storeWhere(() => Promise.reject(new Error('no way')));
    await assert.rejects(async () => store.read('a'), /no way/);
    await assert.rejects(async () => store.keep('a', 'waits', false), /no way/);
  });
});
