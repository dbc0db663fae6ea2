import assert from 'node:assert/strict';

import { until, untilTold } from '../../support/until.js';

describe('until', () => {
  it('resolves once it sees the wanted value', async () => {
    let looks = 0;
    await until(() => (looks += 1), 3);
    assert.equal(looks, 3);
  });

  it('waits for undefined where that is wanted', async () => {
    const seen = ['waiting', 'waiting', undefined];
    await until(() => seen.shift(), undefined);
    assert.equal(seen.length, 0);
  });

  it('resolves once the function of the caller says yes', async () => {
    let looks = 0;
    await until(
      () => Promise.resolve(`look ${(looks += 1)}`),
      (seen) => seen.endsWith('2'),
    );
    assert.equal(looks, 2);
  });

  it('rejects after its limit with the condition, what was seen last, and the line of the caller', async () => {
    const state = 'running';
    const error = await until(() => state, 'closed', 20).then(
      () => assert.fail('It should have given up.'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Error);
    assert.match(error.message, /^Waited 0\.02 s for .*state, wanted: 'closed'\. Seen last: 'running'$/);
    assert.match(error.stack ?? '', /until\.test\.ts:\d+/);
  });

  it('shows the end of a long text', async () => {
    const text = `${'x'.repeat(5_000)}end`;
    await assert.rejects(
      until(
        () => text,
        (seen) => seen === '',
        20,
      ),
      (error: Error) => error.message.endsWith("end'") && error.message.length < 2_500,
    );
  });
});

describe('untilTold', () => {
  it('resolves with what it is told, and listens no longer', async () => {
    let listening = true;
    const told = await untilTold<number>(
      'a number',
      () => undefined,
      (tell) => {
        setImmediate(() => tell(7));
        return { dispose: () => (listening = false) };
      },
    );
    assert.deepEqual([told, listening], [7, false]);
  });

  it('rejects after its limit with what was wanted, what was seen last, and the line of the caller', async () => {
    const told = untilTold(
      'a number',
      () => 'running',
      () => undefined,
      20,
    );
    const error = await told.then(
      () => assert.fail('It should have given up.'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Error);
    assert.equal(error.message, "Waited 0.02 s for a number. Seen last: 'running'");
    assert.match(error.stack ?? '', /until\.test\.ts:\d+/);
  });
});
