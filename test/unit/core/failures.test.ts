import assert from 'node:assert/strict';

import {
  describeFailure,
  ExecError,
  type ExecFailure,
  failureFromWire,
  isExecError,
  wireFormOf,
} from '../../../src/core/index.js';

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

describe('a sandbox that cannot be had', () => {
  const reasons: readonly (readonly [reason: string, said: RegExp])[] = [
    ['missing', /bubblewrap is not installed; install the package "bubblewrap"/],
    ['otherSystem', /only Linux has one/],
    ['openServer', /asks for no token; give it a token/],
    ['bwrap: setting up uid map: Permission denied\n', /AppArmor .*profile for \/usr\/bin\/bwrap/],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', /AppArmor .*Failed RTM_NEWADDR/],
    ['bwrap: Failed to make / slave: Permission denied', /most containers.*outside of the container/],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /most containers/],
    ['bwrap: No permissions to create new namespace, likely because …', /most containers/],
    ['Warning\nbwrap: Unexpected\u001b[31m\n', /bubblewrap fails \(bwrap: Unexpected \[31m\)/],
  ];

  it('is told to people with its reason and what to do, and to clients of the base protocol too', () => {
    for (const [reason, said] of reasons) {
      assert.match(describeFailure({ kind: 'noSandbox', reason }), said);
      const { code, message } = wireFormOf({ kind: 'noSandbox', reason });
      assert.equal(code, -32602);
      assert.match(message, /^this exec-server cannot enforce `sandbox`: .*; nothing was done$/);
      assert.match(message, said);
    }
  });

  it('cuts long words of bubblewrap', () => {
    const failure: ExecFailure = { kind: 'noSandbox', reason: `bwrap: ${'x'.repeat(100_000)}` };
    assert.ok(wireFormOf(failure).message.length < 400);
  });
});
