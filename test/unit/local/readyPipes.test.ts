import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { readyPipes } from '../../../src/local/pipes/index.js';

describe('readyPipes', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-limits-'));
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  function readyWith(descriptors: number | string): number {
    const file = path.join(folder, 'limits');
    const rows = ['Limit Soft Limit Hard Limit Units', 'Max core file size 0 unlimited bytes'];
    fs.writeFileSync(file, [...rows, `Max open files            ${descriptors}  9999  files`, ''].join('\n'));
    return readyPipes(file);
  }

  it('leaves most descriptors to connections and terminals', () => {
    assert.deepEqual([40, 64, 256, 512].map(readyWith), [3, 3, 8, 16]);
  });

  it('are no more where there are many', () => {
    assert.deepEqual([1_024, 1_048_576, 'unlimited'].map(readyWith), [32, 32, 32]);
  });

  it('does without the file', () => {
    assert.equal(readyPipes(path.join(folder, 'nothing')), 32);
  });
});
