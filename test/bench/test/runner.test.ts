import assert from 'node:assert/strict';

import type { Bound } from '../bounds.js';
import { judgeBound } from '../judge.js';
import type { Measurement, OpenMeasurement, Samples } from '../measurement.js';
import { runMeasurement } from '../runner.js';

const RATIO = { quantity: 'time', statistic: 'p50', of: 'ours', to: 'raw', atMost: 2 } as const;
const BOUND: Bound = { ...RATIO, measurement: 'fake', reason: 'It has to be somewhere' };

/** A measurement whose samples are made up. */
function fake(run: OpenMeasurement['run'], contenders: readonly string[], rounds = 4): Measurement {
  return {
    name: 'fake',
    title: 'Fake',
    about: '',
    quantities: [{ name: 'time', unit: 'ms', better: 'lower', statistics: ['p50'] }],
    claims: [RATIO],
    open: () => Promise.resolve({ contenders, rounds, notes: [], run, close: () => Promise.resolve() }),
  };
}

const options = { scale: 'quick', dist: '/nowhere' } as const;
const time = (ms: number): Promise<Samples> => Promise.resolve({ time: [ms] });

describe('the runner of the benchmark', () => {
  it('has every contender in every round, and another one first each time', async () => {
    const order: string[] = [];
    const measurement = fake(
      (name, round) => {
        order.push(`${round}${name}`);
        return time(1);
      },
      ['a', 'b', 'c'],
    );
    await runMeasurement(measurement, options);
    assert.deepEqual(order, ['0a', '0b', '0c', '1a', '1c', '1b', '2c', '2a', '2b', '3c', '3b', '3a']);
  });

  it('compares within the rounds: what disturbs a whole round disturbs no ratio', async () => {
    const disturbed = [1, 10, 3, 100];
    const measurement = fake(
      (name, round) => time((disturbed[round] ?? 0) * (name === 'ours' ? 1.5 : 1)),
      ['raw', 'ours'],
    );
    const { claims } = await runMeasurement(measurement, options);
    assert.deepEqual(
      claims.map(({ spread }) => [spread?.min, spread?.median, spread?.max]),
      [[1.5, 1.5, 1.5]],
    );
  });

  it('compares by the difference where a claim is about that', async () => {
    const measurement = fake(
      (name, round) => time(10 * (round + 1) + (name === 'ours' ? 3 : 0)),
      ['raw', 'ours'],
    );
    const { claims } = await runMeasurement(
      { ...measurement, claims: [{ ...RATIO, difference: true }] },
      options,
    );
    assert.deepEqual(
      claims.map(({ spread }) => [spread?.min, spread?.median, spread?.max]),
      [[3, 3, 3]],
    );
  });

  it('leaves out one that fails, says so, and measures the others', async () => {
    const measurement = fake(
      (name, round) => (name === 'raw' && round === 2 ? Promise.reject(new Error('lost')) : time(1)),
      ['raw', 'ours'],
    );
    const { claims, contenders, failures } = await runMeasurement(measurement, options);
    assert.deepEqual(failures, [{ contender: 'raw', message: 'lost' }]);
    assert.deepEqual(
      contenders.map(({ name, samples }) => [name, samples.length]),
      [['ours', 4]],
    );
    assert.equal(claims[0]?.spread, undefined);
  });

  it('says what went wrong when nothing could begin', async () => {
    const measurement = {
      ...fake(() => time(1), ['ours']),
      open: () => Promise.reject(new Error('no perl')),
    };
    const { failures, claims } = await runMeasurement(measurement, options);
    assert.deepEqual(failures, [{ message: 'no perl' }]);
    assert.equal(claims[0]?.spread, undefined);
  });
});

describe('the check of the benchmark', () => {
  const judge = async (...ours: readonly (readonly number[])[]): Promise<string> => {
    const runs = await Promise.all(
      ours.map((factors) =>
        runMeasurement(
          fake(
            (name, round) => time(name === 'ours' ? (factors[round] ?? 0) : 1),
            ['raw', 'ours'],
            factors.length,
          ),
          options,
        ),
      ),
    );
    return judgeBound(BOUND, runs).kind;
  };

  it('keeps a bound by the median alone', async () => {
    assert.equal(await judge([1, 1.9, 9]), 'kept');
    assert.equal(await judge([1, 2.1, 2.2]), 'broken');
  });

  it('lets a second run outweigh a disturbed first one, but not wipe out a bad one', async () => {
    assert.equal(await judge([1, 2.1, 2.2], [1, 1, 1]), 'kept');
    assert.equal(await judge([3, 3, 3], [3, 1, 1]), 'broken');
  });

  it('takes what was not measured for broken', async () => {
    const alone = await runMeasurement(
      fake(() => time(1), ['ours']),
      options,
    );
    assert.equal(judgeBound(BOUND, [alone]).kind, 'missing');
    assert.equal(judgeBound(BOUND, []).kind, 'missing');
    const notANumber = await runMeasurement(
      fake(() => time(Number.NaN), ['raw', 'ours']),
      options,
    );
    assert.equal(judgeBound(BOUND, [notANumber]).kind, 'broken');
  });

  it('does not forget that something of ours went wrong, however well the second run goes', async () => {
    const lost = await runMeasurement(
      fake(
        (name) => (name === 'ours' ? Promise.reject(new Error('8 bytes lost')) : time(1)),
        ['raw', 'ours'],
      ),
      options,
    );
    const good = await runMeasurement(
      fake(() => time(1), ['raw', 'ours']),
      options,
    );
    assert.equal(judgeBound(BOUND, [good]).kind, 'kept');
    assert.deepEqual(judgeBound(BOUND, [lost, good]), { kind: 'broken', text: 'ours: 8 bytes lost' });
  });
});
