import assert from 'node:assert/strict';

import { type ExecFailure, ExecError } from '../../src/core/index.js';

/** The failure of a process whose connection has ended for good. */
export function cutOff(ended: string): ExecFailure {
  return { kind: 'disconnected', reason: { kind: 'ended', ended } };
}

/** The text that the protocol has for a failure; empty without a failure. */
export function wireText(failure: ExecFailure | undefined): string {
  return failure === undefined ? '' : new ExecError(failure).wireMessage;
}

/** @returns how connecting has failed, which is to be of that kind and say that. */
export async function failureOf(
  connecting: Promise<unknown>,
  kind: string,
  text: RegExp,
): Promise<ExecError> {
  const error: unknown = await connecting.then(
    () => assert.fail('It should not have connected.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ExecError, String(error));
  assert.equal(error.failure.kind, kind, error.message);
  assert.match(error.message, text);
  return error;
}
