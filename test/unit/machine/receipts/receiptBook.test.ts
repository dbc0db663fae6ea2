import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Emitter } from '../../../../src/core/index.js';
import { LocalBackend } from '../../../../src/local/index.js';
import { openReceipts, ReceiptBook } from '../../../../src/machine/index.js';
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
      writer: { on: true, write: () => undefined, close: () => Promise.resolve() },
    });
    backend.tells({ type: 'added', processId: 'p' });
    await settle();
    assert.deepEqual(lines.sort(), [
      'No receipt is written of p: no attach',
      'No receipts are written of earlier starts: no list',
    ]);
    await book.close();
  });

  it('writes nothing of earlier servers once it is closed', async () => {
    const state = process.env['XDG_STATE_HOME'];
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-book-'));
    process.env['XDG_STATE_HOME'] = folder;
    try {
      const clock = new FakeClock();
      const backend = new LocalBackend({ clock });
      const book = openReceipts(backend, (line) => assert.fail(line), false, clock);
      assert.equal(clock.pendingTimers, 1);
      await book.close();
      assert.equal(clock.pendingTimers, 0);
      await backend.shutdown();
    } finally {
      if (state === undefined) {
        delete process.env['XDG_STATE_HOME'];
      } else {
        process.env['XDG_STATE_HOME'] = state;
      }
      fs.rmSync(folder, { recursive: true });
    }
  });
});
