import assert from 'node:assert/strict';

import { timeOf } from '../../../src/cli/sessionCommands.js';

describe('a time on the command line', () => {
  const now = new Date(2026, 10, 26, 12).getTime();

  for (const [text, time] of [
    ['0s', now],
    ['90s', now - 90_000],
    ['0.5s', now - 500],
    ['1h30m', now - 5_400_000],
    ['2d', now - 172_800_000],
    ['2026-11-25', new Date(2026, 10, 25).getTime()],
    ['2026-11-26T09:30', new Date(2026, 10, 26, 9, 30).getTime()],
    ['2026-11-26 09:30:05', new Date(2026, 10, 26, 9, 30, 5).getTime()],
    ['2026-11-26T09:30Z', Date.UTC(2026, 10, 26, 9, 30)],
    ['2026-11-26T09:30:00.5+02:00', Date.UTC(2026, 10, 26, 7, 30, 0, 500)],
  ] as const) {
    it(`can be ${text}`, () => {
      assert.equal(timeOf(text, now), time);
    });
  }

  it('is one of this time zone', () => {
    const { TZ } = process.env;
    process.env.TZ = 'Asia/Tokyo';
    try {
      assert.equal(timeOf('2026-11-26', now), Date.UTC(2026, 10, 25, 15));
      assert.equal(timeOf('2026-11-26T09:30', now), Date.UTC(2026, 10, 26, 0, 30));
    } finally {
      if (TZ === undefined) {
        delete process.env.TZ;
      } else {
        process.env.TZ = TZ;
      }
    }
  });

  for (const text of [
    '',
    '5',
    'm',
    '5 m',
    '1.2.3s',
    '-5m',
    'yesterday',
    '2026-13-01',
    '2026-11-26T25:00',
    '09:30',
  ]) {
    it(`cannot be "${text}"`, () => {
      assert.throws(() => timeOf(text, now), /how long ago/);
    });
  }
});
