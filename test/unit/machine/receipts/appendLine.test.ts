import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { LineAppender } from '../../../../src/machine/receipts/appendLine.js';

type Handle = fs.promises.FileHandle;

describe('A line that is appended', () => {
  let folder: string;
  let file: string;
  let handles: Handle;
  let write: PropertyDescriptor;
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-lines-'));
    file = path.join(folder, 'lines');
    const handle = await fs.promises.open(file, 'w');
    await handle.close();
    handles = Object.getPrototypeOf(handle) as Handle;
    write = Object.getOwnPropertyDescriptor(handles, 'write') ?? assert.fail('There is no such method.');
  });
  afterEach(() => {
    Object.defineProperty(handles, 'write', write);
    fs.rmSync(folder, { recursive: true });
  });

  it('in part, since the disk is full, is no success, and the next one begins after it', async () => {
    const lines = new LineAppender(file);
    assert.equal(await lines.append('first'), 6);
    const whole = write.value as (bytes: Buffer, offset: number, length: number) => unknown;
    Object.defineProperty(handles, 'write', {
      ...write,
      value(this: Handle, bytes: Buffer, offset: number) {
        Object.defineProperty(handles, 'write', write);
        return whole.call(this, bytes, offset, 3);
      },
    });
    await assert.rejects(lines.append('second'), /the disk is full/);
    await lines.append('third');
    await lines.close();
    assert.equal(fs.readFileSync(file, 'utf8'), 'first\nsec\nthird\n');
  });

  it('stays where it is when the file is replaced, and comes after the others in the new one as well', async () => {
    const lines = new LineAppender(file);
    await lines.append('first');
    fs.renameSync(file, `${file}.before`);
    fs.writeFileSync(file, 'torn');
    await lines.append('second');
    await lines.close();
    assert.equal(fs.readFileSync(file, 'utf8'), 'torn\nsecond\n');
    assert.equal(fs.readFileSync(`${file}.before`, 'utf8'), 'first\nsecond\n');
  });
});
