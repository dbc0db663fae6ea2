import assert from 'node:assert/strict';

import { Emitter } from '../../../../src/core/index.js';
import { ReceiptBook } from '../../../../src/machine/index.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { ScriptedBackend } from '../../../support/scriptedBackend.js';
import { settle } from '../../../support/settle.js';

describe('The book of receipts', () => {
  it('names in the log the processes without a receipt, since it cannot get at them', async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    backend.list = () => Promise.reject(new Error('no list'));
    backend.attach = () => Promise.reject(new Error('no attach'));
    const lines: string[] = [];
    const book = new ReceiptBook({
      backend,
      onDidStop: new Emitter<never>().event,
      markOf: () => undefined,
      leaderOf: () => undefined,
      clock,
      log: (line) => lines.push(line),
      host: 'here',
      writer: {
        on: true,
        failure: undefined,
        onDidFail: new Emitter<undefined>().event,
        write: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
    });
    backend.tells({ type: 'added', processId: 'p' });
    await settle();
    assert.deepEqual(lines.sort(), [
      'No receipt is written of p: no attach',
      'Receipts of earlier starts cannot be written: no list',
    ]);
    await book.close();
  });
});
