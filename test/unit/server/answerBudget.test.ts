import assert from 'node:assert/strict';

import { Semaphore } from '../../../src/core/index.js';
import {
  ANSWER_BUDGET_BYTES,
  AnswerBudget,
  LARGE_ANSWERS_BYTES,
} from '../../../src/server/methods/answerBudget.js';
import { FakeClock } from '../../support/fakeClock.js';
import { until } from '../../support/processes.js';
import { FakeConnection } from './connectionContext.js';

describe('The budget of large answers', () => {
  let connection: FakeConnection;
  let clock: FakeClock;
  let budget: AnswerBudget;
  let large: Semaphore;
  let made: string[];
  beforeEach(() => {
    connection = new FakeConnection();
    clock = new FakeClock();
    large = new Semaphore(LARGE_ANSWERS_BYTES);
    budget = new AnswerBudget(connection, large, clock);
    made = [];
  });

  const answer = (name: string, bytes: number) =>
    budget.run(bytes, () => {
      made.push(name);
      return Promise.resolve(name);
    });

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
    connection.bufferedBytes = ANSWER_BUDGET_BYTES + 1;
    await answer('first', ANSWER_BUDGET_BYTES);
    const others = [answer('second', ANSWER_BUDGET_BYTES), answer('third', 1), answer('fourth', 1)];
    await until(() => clock.pendingTimers === 1);
    clock.advance(1000);
    await turn();
    assert.deepEqual(made, ['first']);
    connection.bufferedBytes = 0;
    clock.advance(1000);
    await Promise.all(others);
    assert.deepEqual(made, ['first', 'second', 'third', 'fourth']);
  });

  it('goes on after an answer that failed', async () => {
    const failed = budget.run(ANSWER_BUDGET_BYTES, () => Promise.reject(new Error('no')));
    await assert.rejects(failed, /no/);
    assert.equal(await answer('next', ANSWER_BUDGET_BYTES), 'next');
  });

  it('makes nothing more for a connection that has ended', async () => {
    connection.bufferedBytes = ANSWER_BUDGET_BYTES + 1;
    await answer('first', ANSWER_BUDGET_BYTES);
    const second = answer('second', 1000);
    const refused = assert.rejects(second, /ended/);
    await until(() => clock.pendingTimers === 1);
    connection.end();
    clock.advance(1000);
    await refused;
    assert.deepEqual(made, ['first']);
  });

  it('lets large ones wait for those of other clients, and no others', async () => {
    connection.bufferedBytes = ANSWER_BUDGET_BYTES + 1;
    await answer('first', LARGE_ANSWERS_BYTES);
    const neighbour = new AnswerBudget(new FakeConnection(), large, clock);
    const another = (name: string, bytes: number, budgetOfIt = neighbour) =>
      budgetOfIt.run(bytes, () => {
        made.push(name);
        return Promise.resolve(name);
      });
    const waiting = another('large', ANSWER_BUDGET_BYTES + 1);
    const third = new AnswerBudget(new FakeConnection(), large, clock);
    await another('as large as its share', ANSWER_BUDGET_BYTES, third);
    await until(() => clock.pendingTimers === 1);
    assert.deepEqual(made, ['first', 'as large as its share']);
    connection.end();
    clock.advance(1000);
    await waiting;
    assert.deepEqual(made, ['first', 'as large as its share', 'large']);
  });
});
