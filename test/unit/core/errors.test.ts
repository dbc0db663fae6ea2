import assert from 'node:assert/strict';

import { ExecError, isExecError } from '../../../src/core/index.js';

describe('an error of a backend', () => {
  it('is known as one, also if it is of another copy of its class', () => {
    const own = new ExecError({ kind: 'shutDown' });
    const copied = Object.assign(new Error('x'), { name: 'ExecError', failure: { kind: 'shutDown' } });
    assert.ok(isExecError(own));
    assert.ok(isExecError(copied));
  });

  it('is not recognised in other values', () => {
    const named = Object.assign(new Error('x'), { name: 'ExecError' });
    const badFailure = Object.assign(new Error('x'), { name: 'ExecError', failure: 'shutDown' });
    for (const value of [new Error('x'), named, badFailure, { name: 'ExecError', failure: {} }, undefined]) {
      assert.ok(!isExecError(value));
    }
  });
});
