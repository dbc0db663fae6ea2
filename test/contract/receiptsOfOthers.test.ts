import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { systemClock } from '../../src/core/index.js';
import { readReceipts, receiptPlaceIn, ReceiptWriter } from '../../src/machine/index.js';
import { asRoot, onLinux } from '../support/onLinux.js';
import { ownOpenFiles } from '../support/processes.js';
import { sampleReceipt } from '../support/sampleReceipt.js';

describe('The folder of receipts', () => {
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

  const write = async (id: string) => {
    const writer = new ReceiptWriter({ place, clock: systemClock, log: (line) => lines.push(line) });
    await writer.write({ kind: 'receipt', receipt: sampleReceipt(id, 2_000) });
    await writer.close();
  };
  let skipped: string[] = [];
  const read = () => {
    skipped = [];
    return readReceipts(place, Date.now(), (reason) => skipped.push(reason));
  };
  const part = () => path.join(place.folder, fs.readdirSync(place.folder)[0] ?? '');

  it('is for its user alone, and so are its files', async () => {
    await write('a');
    assert.equal(fs.statSync(part()).mode & 0o777, 0o600);
    assert.equal(fs.statSync(place.folder).mode & 0o777, 0o700);
    fs.chmodSync(place.folder, 0o755);
    await write('b');
    assert.match(lines.join('\n'), /others can look into the folder/);
  });

  asRoot('is not written to where it belongs to another user, and a file of theirs is not read', async () => {
    await write('own');
    fs.chownSync(part(), 987_654, 987_654);
    assert.deepEqual(await read(), []);
    assert.match(skipped.join(), /\.jsonl belongs to another user$/);
    fs.chownSync(part(), 0, 0);
    assert.deepEqual(ownOpenFiles(folder), []);
    fs.chownSync(place.folder, 987_654, 987_654);
    await write('other');
    assert.match(lines.join('\n'), /belongs to another user/);
    assert.deepEqual(
      (await read()).map(({ id }) => id),
      ['own'],
    );
  });

  onLinux('is skipped where a file of a run is a pipe, a link or huge, and the rest is read', async () => {
    await write('own');
    for (const name of [
      `${randomUUID()}.1.jsonl`,
      `${randomUUID()}.guard`,
      `${randomUUID()}.${randomUUID()}.removed`,
    ]) {
      const file = path.join(place.folder, name);
      for (const [make, why] of [
        [() => execFileSync('mkfifo', [file]), /is not a file, but a pipe or the like: move it away$/],
        [() => fs.symlinkSync(place.folder, file), /is a link: move it away$/],
        [() => execFileSync('truncate', ['--size=700M', file]), /is too large: move it away$/],
      ] as const) {
        make();
        assert.deepEqual(
          (await read()).map(({ id }) => id),
          ['own'],
        );
        assert.match(skipped.join(), why);
        fs.rmSync(file);
      }
    }
    fs.writeFileSync(path.join(place.folder, 'something else'), '');
    assert.deepEqual([(await read()).length, skipped], [1, []]);
  });
});
