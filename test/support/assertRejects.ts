import assert from 'node:assert/strict';

import { ExecError } from '../../src/core/index.js';

/** Asserts that a promise is rejected with this code and text on the wire. Resolves with the error. */
export async function assertRejects(
  promise: Promise<unknown>,
  code: number,
  wireMessage: string | RegExp,
): Promise<ExecError> {
  const error: unknown = await promise.then(
    () => assert.fail('It should have been refused.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ExecError, String(error));
  assert.equal(error.code, code);
  if (typeof wireMessage === 'string') {
    assert.equal(error.wireMessage, wireMessage);
  } else {
    assert.match(error.wireMessage, wireMessage);
  }
  return error;
}
