import assert from 'node:assert/strict';

import { ExecError, type ExecFailure, failureFromWire, isExecError } from '../../../src/core/index.js';

describe('an error of another copy of the class', () => {
  const ofKind = (kind: string) => Object.assign(new Error('text'), { name: 'ExecError', failure: { kind } });

  it('is known by its name and its kind', () => {
    assert.ok(isExecError(ofKind('noBash')));
  });

  it('is not one of ours if its kind is not known here: nothing could put it into words', () => {
    assert.ok(!isExecError(ofKind('fromTheFuture')));
    assert.ok(!isExecError(ofKind('constructor')));
  });
});

describe('a failure on the wire', () => {
  const said: readonly ExecFailure[] = [
    { kind: 'noBash' },
    { kind: 'unknownProcess', processId: 'p' },
    { kind: 'startFailed', program: 'a', cwd: '/', reason: 'b' },
    { kind: 'badSize', columns: 0, rows: -1 },
  ];

  it('comes back as it was', () => {
    for (const failure of said) {
      assert.deepEqual(failureFromWire(JSON.parse(JSON.stringify(new ExecError(failure).failure))), failure);
    }
  });

  it('does not count if a member is missing or of another type', () => {
    const values = [
      { kind: 'unknownProcess' },
      { kind: 'unknownProcess', processId: 1 },
      { kind: 'badSize', columns: '80', rows: 24 },
      { kind: 'toString' },
      { kind: 1 },
      'shutDown',
      null,
      undefined,
    ];
    for (const value of values) {
      assert.equal(failureFromWire(value), undefined);
    }
  });

  it('does not count if only this side of a connection can know it', () => {
    assert.equal(failureFromWire({ kind: 'badAddress', target: 'x' }), undefined);
    assert.equal(failureFromWire({ kind: 'shutDown' }), undefined);
    assert.equal(failureFromWire({ kind: 'disconnected', reason: { kind: 'closedHere' } }), undefined);
  });
});
