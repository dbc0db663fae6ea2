import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { deferred, systemClock } from '../../../../src/core/index.js';
import { MOST_RECEIPTS, readReceipts, receiptPlaceIn, ReceiptWriter } from '../../../../src/machine/index.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { sampleReceipt } from '../../../support/sampleReceipt.js';
import { until } from '../../../support/until.js';

type Handle = fs.promises.FileHandle;
type Write = (bytes: Buffer, offset: number, length: number, position: number) => Promise<object>;

describe('The writer of receipts on a disk without room', () => {
  let folder: string;
  let handles: Handle;
  let whole: PropertyDescriptor;
  let writer: ReceiptWriter;
  let failures: (string | undefined)[];

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-full-'));
    const handle = await fs.promises.open(path.join(folder, 'any'), 'w');
    await handle.close();
    handles = Object.getPrototypeOf(handle) as Handle;
    whole = Object.getOwnPropertyDescriptor(handles, 'write') ?? assert.fail('There is no such method.');
    writer = new ReceiptWriter({ place: place(), clock: systemClock, log: () => undefined });
    failures = [];
    writer.onDidFail((reason) => failures.push(reason));
  });
  afterEach(async () => {
    restore();
    await writer.close();
    fs.rmSync(folder, { recursive: true });
  });

  const place = () => receiptPlaceIn(path.join(folder, 'receipts'));
  const restore = () => Object.defineProperty(handles, 'write', whole);
  /** Lets each write be made by a function, which gets the real one. */
  const writeWith = (make: (write: Write, ...args: Parameters<Write>) => Promise<object>) =>
    Object.defineProperty(handles, 'write', {
      ...whole,
      value(this: Handle, ...args: Parameters<Write>) {
        return make((whole.value as Write).bind(this), ...args);
      },
    });
  const write = (id: string) => writer.write({ kind: 'receipt', receipt: sampleReceipt(id, 2_000) });
  const idsOf = async () => (await readReceipts(place(), Date.now())).map(({ id }) => id).sort();

  const textOf = () => {
    const { folder } = place();
    return fs
      .readdirSync(folder)
      .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
      .join('');
  };

  it('writes once there is room, also what it has written a part of', async () => {
    await write('first');
    writeWith((real, bytes, offset, length, position) =>
      offset > 0
        ? Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC', errno: -28 }))
        : real(bytes, offset, Math.min(length, 9), position),
    );
    await write('second');
    await write('third');
    assert.deepEqual(failures, [
      `cannot write into the folder ${place().folder}: no space left on device (ENOSPC)`,
    ]);
    assert.deepEqual(await idsOf(), ['first']);
    restore();
    await write('fourth');
    assert.equal(failures.at(-1), undefined);
    assert.deepEqual(await idsOf(), ['first', 'fourth', 'second', 'third']);
  });

  it('writes in pieces where the disk takes pieces', async () => {
    writeWith((real, bytes, offset, length, position) => real(bytes, offset, Math.min(length, 9), position));
    await write('first');
    await write('second');
    assert.deepEqual(await idsOf(), ['first', 'second']);
  });

  it('keeps the newest of each session, and as many as readers do, while the disk is slow', async () => {
    await write('known');
    const gate = deferred();
    writeWith(async (real, ...args) => {
      await gate.promise;
      return real(...args);
    });
    void write('slow');
    const ids = Array.from({ length: MOST_RECEIPTS }, (_, index) => `waits-${index}`);
    ids.forEach((id) => void write(id));
    ids.forEach((id) => void write(id));
    gate.resolve();
    await writer.flush();
    restore();
    const lines = textOf().trim().split('\n');
    // The first line names this process.
    assert.equal(lines.length, 1 + 2 + MOST_RECEIPTS);
    assert.ok(lines.some((line) => line.includes('"id":"slow"')));
  });

  it('drops the oldest where more of them wait for room than readers keep', async () => {
    writeWith(() => Promise.reject(new Error('no room')));
    const ids = Array.from({ length: MOST_RECEIPTS + 2 }, (_, index) => `waits-${index}`);
    await Promise.all(ids.map(write));
    await write('last');
    restore();
    await write('now');
    const text = textOf();
    assert.deepEqual(
      ['waits-0', 'waits-1', 'waits-2', 'waits-3', 'last', 'now'].filter(
        (id) => !text.includes(`"id":"${id}"`),
      ),
      ['waits-0', 'waits-1', 'waits-2'],
    );
  });
});

describe('The writer of receipts', () => {
  it('gives signs of life while something runs, and sets no timer after that', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-signs-'));
    const clock = new FakeClock(5_000_000);
    const writer = new ReceiptWriter({
      place: receiptPlaceIn(folder),
      clock,
      log: (line) => assert.fail(line),
    });
    await writer.write({ kind: 'receipt', receipt: sampleReceipt('p') });
    await writer.flush();
    const [file = ''] = fs.readdirSync(folder);
    const signed = () => fs.statSync(path.join(folder, file)).mtimeMs;
    for (let count = 0; count < 2; count += 1) {
      clock.advance(30_000);
      await until(signed, clock.wallTime());
    }
    await writer.write({ kind: 'receipt', receipt: sampleReceipt('p', 2_000) });
    await writer.flush();
    clock.advance(30_000);
    assert.equal(clock.pendingTimers, 0);
    await writer.write({ kind: 'receipt', receipt: sampleReceipt('q') });
    await writer.close();
    assert.equal(clock.pendingTimers, 0);
    fs.rmSync(folder, { recursive: true });
  });
});
