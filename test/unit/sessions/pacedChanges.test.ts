import assert from 'node:assert/strict';

import { Emitter } from '../../../src/core/index.js';
import { PACE_MS, PacedChanges } from '../../../src/sessions/tree/pacedChanges.js';
import { FakeClock } from '../../support/fakeClock.js';

describe('Paced changes of rows', () => {
  let clock: FakeClock;
  let changes: Emitter<string | undefined>;
  let paced: PacedChanges<string>;
  let drawn: { readonly at: number; readonly rows: readonly string[] | undefined }[];

  beforeEach(() => {
    clock = new FakeClock();
    changes = new Emitter();
    paced = new PacedChanges(clock, changes.event);
    drawn = [];
    const began = clock.now();
    paced.onDidChange((rows) => drawn.push({ at: clock.now() - began, rows }));
  });

  afterEach(() => paced.dispose());

  it('are passed on at once after a rest, those of one turn together and each once', () => {
    changes.fire('a');
    changes.fire('b');
    changes.fire('a');
    clock.advance(0);
    assert.deepEqual(drawn, [{ at: 0, rows: ['a', 'b'] }]);
    clock.advance(10_000);
    changes.fire('c');
    clock.advance(0);
    assert.deepEqual(drawn.at(-1), { at: 10_000, rows: ['c'] });
  });

  it('that never end are drawn all the same, with a pause in which VS Code draws', () => {
    for (let count = 0; count < 100; count += 1) {
      changes.fire(`row ${count}`);
      clock.advance(50);
    }
    clock.advance(PACE_MS);
    const pauses = drawn.slice(1).map(({ at }, before) => at - (drawn[before]?.at ?? 0));
    assert.ok(pauses.length >= 16 && pauses.every((pause) => pause > 200), pauses.join());
    assert.equal(drawn.flatMap(({ rows = [] }) => rows).length, 100, 'none is left out');
  });

  it('of all rows cover those of single ones', () => {
    changes.fire('a');
    changes.fire(undefined);
    changes.fire('b');
    clock.advance(0);
    assert.deepEqual(drawn, [{ at: 0, rows: undefined }]);
  });

  it('end when it is disposed of', () => {
    changes.fire('a');
    paced.dispose();
    changes.fire('b');
    clock.advance(1_000);
    assert.deepEqual(drawn, []);
  });
});
