import assert from 'node:assert/strict';

import { Semaphore } from '../../../src/core/index.js';
import {
  ALL_ANSWERS_BYTES,
  ANSWER_BUDGET_BYTES,
  AnswerBudget,
  LARGE_ANSWERS_BYTES,
  ORDINARY_ANSWER_BYTES,
  type SharedRoom,
} from '../../../src/server/methods/answerBudget.js';
import { FakeConnection } from './connectionContext.js';

const MIB = 1024 * 1024;

describe('The budget of answers', () => {
  let connection: FakeConnection;
  let budget: AnswerBudget;
  let shared: SharedRoom;
  let made: string[];
  beforeEach(() => {
    connection = new FakeConnection();
    shared = { all: new Semaphore(ALL_ANSWERS_BYTES), large: new Semaphore(LARGE_ANSWERS_BYTES) };
    budget = new AnswerBudget(connection, shared);
    made = [];
  });

  const answer = (name: string, bytes: number, budgetOfIt = budget) =>
    budgetOfIt.run(bytes, () => {
      made.push(name);
      return Promise.resolve(name);
    });

  /** Another client, which takes nothing if it has that much to take. */
  const another = (unsentCharacters = 0) => {
    const other = new FakeConnection();
    other.unsentCharacters = unsentCharacters;
    return new AnswerBudget(other, shared);
  };

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('lets small ones go side by side', async () => {
    const waiting = new Promise<string>(() => undefined);
    void budget.run(1000, () => waiting);
    assert.equal(await answer('other', 1000), 'other');
  });

  it('makes one that is larger than all of it, alone', async () => {
    assert.equal(await answer('huge', 10 * ANSWER_BUDGET_BYTES), 'huge');
  });

  it('lets the next wait until the client has taken those before, in their order', async () => {
    connection.unsentCharacters = ANSWER_BUDGET_BYTES + 1;
    await answer('first', ANSWER_BUDGET_BYTES);
    const others = [answer('second', ANSWER_BUDGET_BYTES), answer('third', 1), answer('fourth', 1)];
    await turn();
    assert.deepEqual(made, ['first']);
    connection.takesUpTo(0);
    await Promise.all(others);
    assert.deepEqual(made, ['first', 'second', 'third', 'fourth']);
  });

  it('goes on after an answer that failed', async () => {
    const failed = budget.run(ANSWER_BUDGET_BYTES, () => Promise.reject(new Error('no')));
    await assert.rejects(failed, /no/);
    assert.equal(await answer('next', ANSWER_BUDGET_BYTES), 'next');
  });

  it('makes nothing more for a connection that has ended', async () => {
    connection.unsentCharacters = ANSWER_BUDGET_BYTES + 1;
    await answer('first', ANSWER_BUDGET_BYTES);
    const second = answer('second', 1000);
    const refused = assert.rejects(second, /ended/);
    await turn();
    connection.end();
    await refused;
    assert.deepEqual(made, ['first']);
  });

  it('counts answers as taken in the order in which they were sent', async () => {
    connection.unsentCharacters = 10 * MIB;
    for (const name of ['first', 'second', 'third', 'fourth']) await answer(name, 4 * MIB);
    await turn();
    assert.deepEqual(made, ['first', 'second', 'third', 'fourth']);
    // 10 of 16 MiB are not taken: these are the last two, and half of the second.
    const next = [answer('as much as the first', 4 * MIB), answer('more', 4 * MIB)];
    await next[0];
    connection.takesUpTo(14 * MIB);
    await turn();
    assert.deepEqual(made.slice(4), ['as much as the first']);
    connection.takesUpTo(12 * MIB);
    await next[1];
  });

  it('lets large ones wait for those of other clients, and no others', async () => {
    connection.unsentCharacters = ANSWER_BUDGET_BYTES + 1;
    await answer('first', LARGE_ANSWERS_BYTES);
    const waiting = answer('large', ANSWER_BUDGET_BYTES + 1, another());
    await answer('as large as its share', ANSWER_BUDGET_BYTES, another());
    await turn();
    assert.deepEqual(made, ['first', 'as large as its share']);
    connection.end();
    await waiting;
    assert.deepEqual(made, ['first', 'as large as its share', 'large']);
  });

  it('bounds large answers of all clients together, except one ordinary answer for each', async () => {
    connection.unsentCharacters = 2 * ANSWER_BUDGET_BYTES;
    const greedy = Array.from({ length: ALL_ANSWERS_BYTES / ANSWER_BUDGET_BYTES - 1 }, () =>
      another(2 * ANSWER_BUDGET_BYTES),
    );
    await Promise.all([budget, ...greedy].map((each) => answer('greedy', ANSWER_BUDGET_BYTES, each)));
    await turn();
    made.length = 0;
    const modest = another(2 * ORDINARY_ANSWER_BYTES);
    await answer('ordinary', ORDINARY_ANSWER_BYTES, modest);
    const others = [answer('its second', 1, modest), answer('larger', ORDINARY_ANSWER_BYTES + 1, another())];
    await turn();
    assert.deepEqual(made, ['ordinary']);
    connection.end();
    await Promise.all(others);
  });
});
