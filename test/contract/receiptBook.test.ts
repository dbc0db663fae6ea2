import assert from 'node:assert/strict';

import { type Receipt, type ReceiptRecord, systemClock, unwrittenReceipt } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { NoPlaceForReceipts, ReceiptBook } from '../../src/machine/index.js';
import { FakeClock } from '../support/fakeClock.js';
import { killIfThere } from '../support/killIfThere.js';
import { onLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

describe('The book of receipts', () => {
  onLinux('says what a process has left that ends before anybody can look at it', async () => {
    const backend = new LocalBackend();
    const records: ReceiptRecord[] = [];
    const writer = {
      on: true,
      write: (record: (run: string) => ReceiptRecord) => void records.push(record('r')),
      close: () => Promise.resolve(),
    };
    const book = new ReceiptBook({
      backend: {
        capabilities: backend.capabilities,
        onDidChange: backend.onDidChange,
        list: () => backend.list(),
        attach: async (processId) => {
          const process = await backend.attach(processId);
          await until(() => process.info().exit !== undefined);
          return process;
        },
      },
      onDidStop: backend.onDidStop,
      markOf: (processId) => backend.markOf(processId),
      leaderOf: () => undefined,
      clock: systemClock,
      log: (line) => assert.fail(line),
      host: 'here',
      writer,
    });
    await backend.start(params({ processId: 'quick', argv: sh('setsid sleep 1000 & exit 0'), owned: true }));
    const left = () => records.flatMap((record) => (record.kind === 'receipt' ? record.receipt.left : []));
    await until(() => left().length > 0);
    left().forEach(({ pid, command }) => {
      assert.equal(command, 'sleep');
      killIfThere(pid);
    });
    assert.equal(records.filter((record) => record.kind === 'receipt' && record.revision === 0).length, 0);
    await book.close();
    await backend.shutdown();
  });

  it('says with which steps a process was stopped that is removed right after its stop', async () => {
    const backend = new LocalBackend();
    const receipts: Receipt[] = [];
    const book = new ReceiptBook({
      backend,
      onDidStop: backend.onDidStop,
      markOf: (processId) => backend.markOf(processId),
      leaderOf: () => undefined,
      // Records after the end are never written by themselves: this clock stands still.
      clock: new FakeClock(),
      log: (line) => assert.fail(line),
      host: 'here',
      writer: {
        on: true,
        write: (record) => {
          const made = record('r');
          receipts.push(...(made.kind === 'receipt' ? [made.receipt] : []));
        },
        close: () => Promise.resolve(),
      },
    });
    const process = await backend.start(params({ processId: 'p', argv: sh('sleep 1000'), owned: true }));
    await until(() => receipts.length, 1);
    await process.stop();
    await until(() => process.info().state, 'closed');
    await backend.remove('p');
    assert.deepEqual(receipts.at(-1)?.steps, ['interrupt']);
    await book.close();
    await backend.shutdown();
  });

  it('says with each process of a user without a home why nothing is written of it, and once in the log', async () => {
    const backend = new LocalBackend();
    const lines: string[] = [];
    const book = new ReceiptBook({
      backend,
      onDidStop: backend.onDidStop,
      markOf: (processId) => backend.markOf(processId),
      leaderOf: () => undefined,
      clock: systemClock,
      log: (line) => assert.fail(line),
      host: 'here',
      writer: new NoPlaceForReceipts((line) => lines.push(line)),
    });
    const start = (processId: string) =>
      backend.start(params({ processId, argv: sh('sleep 1000'), owned: true }));
    const reason = 'you have no home folder here. Set HOME or XDG_STATE_HOME';
    const [one, other] = [await start('one'), await start('other')];
    const said = () => [one, other].map((process) => unwrittenReceipt(process.info().metadata));
    await until(
      () => said(),
      (seen) => seen.every((unwritten) => unwritten !== undefined),
    );
    assert.deepEqual(said(), [
      { reason, first: true },
      { reason, first: false },
    ]);
    book.on = false;
    await until(
      () => said(),
      (seen) => seen.every((unwritten) => unwritten === undefined),
    );
    const unwanted = await start('unwanted');
    await backend.terminate('unwanted');
    await until(() => unwanted.info().state, 'closed');
    assert.equal(unwrittenReceipt(unwanted.info().metadata), undefined);
    assert.deepEqual(lines, [`Receipts cannot be written: ${reason}`]);
    await book.close();
    await backend.shutdown();
  });
});
