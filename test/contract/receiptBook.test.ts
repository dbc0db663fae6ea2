import assert from 'node:assert/strict';

import { Emitter, metadataIn, type Receipt, type ReceiptRecord, systemClock } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { ReceiptBook, ReceiptWriter } from '../../src/machine/index.js';
import { FakeClock } from '../support/fakeClock.js';
import { killIfThere } from '../support/killIfThere.js';
import { onLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { params, sh } from '../support/startParams.js';

/** A writer to nowhere. */
function writerTo(take: (record: ReceiptRecord) => void) {
  return {
    on: true,
    failure: undefined,
    onDidFail: new Emitter<undefined>().event,
    write: (record: ReceiptRecord) => {
      take(record);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

describe('The book of receipts', () => {
  onLinux('says what a process has left that ends before anybody can look at it', async () => {
    const backend = new LocalBackend();
    const records: ReceiptRecord[] = [];
    const writer = writerTo((record) => records.push(record));
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
    assert.ok(records.every((record) => record.kind === 'receipt' && record.receipt.end !== undefined));
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
      writer: writerTo((record) => receipts.push(...(record.kind === 'receipt' ? [record.receipt] : []))),
    });
    const process = await backend.start(params({ processId: 'p', argv: sh('sleep 1000'), owned: true }));
    await until(() => receipts.length, 1);
    const { steps } = await process.stop();
    await until(() => process.info().state, 'closed');
    await backend.remove('p');
    assert.equal(steps[0], 'interrupt');
    assert.deepEqual(receipts.at(-1)?.steps, steps);
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
      writer: new ReceiptWriter({ place: undefined, clock: systemClock, log: (line) => lines.push(line) }),
    });
    const start = (processId: string) =>
      backend.start(params({ processId, argv: sh('sleep 1000'), owned: true }));
    const reason = 'you have no home folder here. Set HOME or XDG_STATE_HOME';
    const [one, other] = [await start('one'), await start('other')];
    const said = () => [one, other].map((process) => metadataIn(process.info().metadata, 'receiptUnwritten'));
    await until(
      () => said(),
      (seen) => seen.every((unwritten) => unwritten !== undefined),
    );
    assert.deepEqual(said(), [reason, reason]);
    book.on = false;
    await until(
      () => said(),
      (seen) => seen.every((unwritten) => unwritten === undefined),
    );
    const unwanted = await start('unwanted');
    await backend.terminate('unwanted');
    await until(() => unwanted.info().state, 'closed');
    assert.equal(metadataIn(unwanted.info().metadata, 'receiptUnwritten'), undefined);
    assert.deepEqual(lines, [`Receipts cannot be written: ${reason}`]);
    await book.close();
    await backend.shutdown();
  });
});
