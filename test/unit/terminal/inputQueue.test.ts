import assert from 'node:assert/strict';

import { INPUT_LIMIT_BYTES, InputQueue } from '../../../src/terminal/inputQueue.js';
import { ScriptedProcess } from '../../support/scriptedBackend.js';
import { utf8 } from '../../support/bytes.js';
import { FakeClock } from '../../support/fakeClock.js';
import { until } from '../../support/until.js';

function setUp() {
  const process = new ScriptedProcess(
    { processId: 'p', argv: ['cat'], cwd: '/', env: {}, tty: true },
    new FakeClock(),
    () => undefined,
  );
  const failures: unknown[] = [];
  const queue = new InputQueue(process, (status) => failures.push(status));
  return { process, failures, queue };
}

describe('InputQueue', () => {
  it('writes a large paste in order', async () => {
    const { process, queue } = setUp();
    const paste = Array.from({ length: 50_000 }, (_, index) => `${index}é\n`).join('');
    assert.ok(queue.write(utf8(paste)));
    assert.ok(queue.write(utf8('after')));
    await until(
      () => process.input,
      (seen) => seen.endsWith('after'),
    );
    assert.equal(process.input, `${paste}after`);
  });

  it('takes nothing above its bound, and goes on below it', async () => {
    const { process, queue } = setUp();
    assert.equal(queue.write(new Uint8Array(INPUT_LIMIT_BYTES + 1)), false);
    assert.equal(queue.write(utf8('small')), true);
    await until(() => process.input, 'small');
  });

  it('says why something was not taken, and forgets the input after it', async () => {
    const { process, queue, failures } = setUp();
    process.writeStatus = 'stdinClosed';
    queue.write(new Uint8Array(100_000));
    await until(() => failures.length > 0);
    assert.deepEqual(failures, ['stdinClosed']);
    process.writeStatus = 'accepted';
    process.input = '';
    queue.write(utf8('again'));
    await until(() => process.input, 'again');
  });
});
