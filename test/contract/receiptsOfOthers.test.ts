import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { systemClock } from '../../src/core/index.js';
import { openFilesIn } from '../../src/local/index.js';
import {
  compactReceipts,
  makeReceiptPlace,
  readReceipts,
  receiptPlaceIn,
  ReceiptWriter,
  removeReceipts,
} from '../../src/machine/index.js';
import { onLinux } from '../support/onLinux.js';
import { sampleReceipt } from '../support/sampleReceipt.js';

describe('The file of receipts, and what lies beside it', () => {
  let folder: string;
  let place: ReturnType<typeof receiptPlaceIn>;
  let lines: string[];

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-receipts-'));
    place = receiptPlaceIn(path.join(folder, 'receipts'));
    lines = [];
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const writer = () => new ReceiptWriter({ place, clock: systemClock, log: (line) => lines.push(line) });
  const read = () => readReceipts(place, Date.now());

  it('is for its user alone', async () => {
    const one = writer();
    one.write((name) => ({ kind: 'receipt', revision: 1, run: name, receipt: sampleReceipt('a', 2_000) }));
    await one.close(true);
    assert.equal(fs.statSync(place.file).mode & 0o777, 0o600);
    assert.equal(fs.statSync(place.folder).mode & 0o777, 0o700);
    fs.chmodSync(place.folder, 0o755);
    const other = writer();
    other.write((name) => ({ kind: 'receipt', revision: 1, run: name, receipt: sampleReceipt('b', 2_000) }));
    await other.close(true);
    assert.match(lines.join('\n'), /others can look into the folder/);
  });

  if (process.getuid?.() === 0) {
    it('is neither read nor written where it is of another user', async () => {
      const one = writer();
      const write = (id: string) =>
        one.write((name) => ({ kind: 'receipt', revision: 1, run: name, receipt: sampleReceipt(id, 2_000) }));
      write('own');
      await one.close(true);
      fs.writeFileSync(place.before, '');
      for (const file of [place.before, place.file]) {
        fs.chownSync(file, 987_654, 987_654);
        await assert.rejects(read(), /receipts\.(?:before\.)?jsonl belongs to somebody else/);
        fs.chownSync(file, 0, 0);
      }
      assert.deepEqual([...(await openFilesIn(folder))], []);
      fs.chownSync(place.folder, 987_654, 987_654);
      const other = writer();
      other.write((name) => ({ kind: 'receipt', revision: 1, run: name, receipt: sampleReceipt('other') }));
      await other.close(true);
      assert.match(lines.join('\n'), /belongs to somebody else/);
      assert.deepEqual(
        (await read()).ended.map(({ id }) => id),
        ['own'],
      );
    });
  }

  onLinux('is not written through a link that somebody has put in its place', async () => {
    makeReceiptPlace(place);
    const elsewhere = path.join(folder, 'elsewhere');
    fs.symlinkSync(elsewhere, place.file);
    await assert.rejects(removeReceipts(place, ['a']), /is a link: move it away$/);
    assert.equal(fs.existsSync(elsewhere), false);
  });

  onLinux(
    'is not read, and holds nobody up, where something that belongs to it is a pipe or a link',
    async () => {
      const one = writer();
      one.write((name) => ({ kind: 'receipt', revision: 0, run: name, receipt: sampleReceipt('runs') }));
      await one.flush();
      const [name = ''] = fs.readdirSync(place.runs);
      const server = path.join(place.runs, randomUUID());
      for (const file of [place.before, server]) {
        execFileSync('mkfifo', [file]);
        await assert.rejects(read(), /no file, but a pipe or the like: move it away$/);
        fs.rmSync(file);
        fs.symlinkSync(place.file, file);
        await assert.rejects(read(), /is a link: move it away$/);
        fs.rmSync(file);
      }
      execFileSync('mkfifo', [place.before]);
      await assert.rejects(compactReceipts(place, systemClock), /a pipe or the like/);
      fs.rmSync(place.before);
      // As after the death of its server: no process is of that start.
      fs.writeFileSync(
        path.join(place.runs, name),
        JSON.stringify({ pid: 1, startTime: '0', namespace: '' }),
      );
      const report = path.join(place.runs, `${name}.guard`);
      execFileSync('mkfifo', [report]);
      await assert.rejects(readReceipts(place, Date.now() + 1e9), /\.guard is no file, but a pipe/);
      await one.close(true);
    },
  );
});
