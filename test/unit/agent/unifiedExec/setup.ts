import assert from 'node:assert/strict';

import {
  UnifiedExecError,
  UnifiedExecManager,
  type UnifiedExecFailure,
  type UnifiedExecRequest,
} from '../../../../src/agent/unifiedExec/index.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend, type ScriptedProcess } from '../../../support/scriptedBackend.js';

/** Lets everything happen that does not wait for time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
  }
}

export function setUp() {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock);
  const manager = new UnifiedExecManager({ backend, cwd: '/work', clock });

  /** A request in progress, and whether it has been answered. */
  const begin = async (request: UnifiedExecRequest) => {
    const pending = { answered: false, result: manager.handle(request) };
    const settled = () => (pending.answered = true);
    pending.result.then(settled, settled);
    await settle();
    return pending;
  };

  const newest = (): ScriptedProcess => backend.processes.at(-1) ?? assert.fail('Nothing was started.');

  /** A running session and its process. */
  const open = async (...argv: readonly string[]) => {
    const { result } = await begin({ inputChunks: argv.length > 0 ? argv : ['bash', '-i'], timeoutMs: 0 });
    const { sessionId } = await result;
    assert.ok(sessionId !== undefined);
    return { sessionId, process: newest() };
  };

  /** A whole request, during which nothing happens. */
  const request = async (one: UnifiedExecRequest) => {
    const { result } = await begin(one);
    clock.advance(60_000);
    return result;
  };

  return { clock, backend, manager, begin, open, request, newest };
}

/** That a request is refused, in these words. @returns the error */
export async function rejects(result: Promise<unknown>, failure: UnifiedExecFailure, message: string) {
  const error: unknown = await result.then(
    () => assert.fail('It should have been refused.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UnifiedExecError, String(error));
  assert.equal(error.failure, failure);
  assert.equal(error.message, message);
  return error;
}

/** The words before an answer whose request asked for too much time. */
export const WARNING = (requested: string) =>
  `Warning: requested timeout ${requested}ms exceeds maximum of 60000ms; clamping to 60000ms.\n`;
