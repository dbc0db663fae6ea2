import assert from 'node:assert/strict';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { HOLD_MS, PlaceBook, stageOf } from '../../../src/sessions/tree/placeBook.js';
import { closed, snapshot } from './snapshots.js';

describe('the places of sessions', () => {
  let book: PlaceBook;
  beforeEach(() => {
    book = new PlaceBook();
  });
  const stages = (sessions: readonly SessionSnapshot[], now: number) =>
    [...book.look(sessions, now).places.values()].map(({ stage, held }) => (held ? `${stage}, held` : stage));
  const failed = (id: string) => ({ ...closed({ exitCode: 1 }), id });

  it('stay for a second after the end, and say when that is over', () => {
    assert.deepEqual(stages([snapshot({ id: 'a' })], 0), ['running']);
    assert.deepEqual(stages([failed('a')], 100), ['running, held']);
    assert.equal(book.look([failed('a')], 500).changeAt, 100 + HOLD_MS, 'a later look does not begin anew');
    assert.deepEqual(stages([failed('a')], 99 + HOLD_MS), ['running, held']);
    assert.deepEqual(stages([failed('a')], 100 + HOLD_MS), ['closed']);
    assert.equal(book.look([failed('a')], 100 + HOLD_MS).changeAt, undefined);
  });

  it('stay through the exit and the close that follows', () => {
    stages([snapshot({ id: 'a' })], 0);
    const exited = snapshot({ id: 'a', state: 'exited', exit: { exitCode: 1 } });
    assert.deepEqual(stages([exited], 10), ['running, held']);
    assert.deepEqual(stages([failed('a')], 500), ['running, held']);
    assert.deepEqual(stages([failed('a')], 10 + HOLD_MS), ['closed']);
  });

  it('do not wait for a session that had ended when it came, nor from one end to the next', () => {
    assert.deepEqual(stages([failed('a')], 0), ['closed']);
    const exited = snapshot({ id: 'b', state: 'exited', exit: { exitCode: 1 } });
    assert.deepEqual(stages([exited], 0), ['exited']);
    assert.deepEqual(stages([failed('b')], 1), ['closed']);
  });

  it('keep successful sessions apart, unless one of their processes still runs', () => {
    const survivor = { pid: 7, startTime: '5', command: 'ssh-agent', why: 'otherSession' } as const;
    const well = closed({ exitCode: 0 });
    assert.equal(stageOf(well), 'succeeded');
    assert.equal(stageOf({ ...well, survivors: [survivor] }), 'closed');
    assert.equal(stageOf({ ...well, stopped: true }), 'closed');
    assert.equal(stageOf(closed({ exitCode: 1 })), 'closed');
    assert.equal(stageOf({ ...well, state: 'lost' }), 'closed');
  });

  it('go to the repeat of a session only if that was expected', () => {
    const [a, b] = [snapshot({ id: 'a' }), snapshot({ id: 'b' })];
    const ranks = (sessions: readonly SessionSnapshot[]) => {
      const { places } = book.look(sessions, 0);
      return sessions
        .map(({ id }) => id)
        .toSorted((one, other) => (places.get(one)?.rank ?? 0) - (places.get(other)?.rank ?? 0))
        .join('');
    };
    assert.equal(ranks([a, b]), 'ab');
    book.expectRepeat('a');
    const c = snapshot({ id: 'c', previousId: 'a' });
    assert.equal(ranks([a, b, c]), 'acb');
    const d = snapshot({ id: 'd', previousId: 'a' });
    assert.equal(ranks([a, b, c, d]), 'acbd', 'once');
    book.expectRepeat('b');
    book.forgetRepeat('b');
    assert.equal(ranks([a, b, c, d, snapshot({ id: 'e', previousId: 'b' })]), 'acbde');
  });
});
