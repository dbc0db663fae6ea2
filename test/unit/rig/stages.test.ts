import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { root } from '../../rig/paths.js';
import { stages, type TestFiles } from '../../rig/stages.js';

describe('The stages of the tests', () => {
  const all = fs
    .readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll(path.sep, '/')}`);
  const tests = stages.flatMap(({ tests: files }) => files ?? []);

  it('run every file of tests', () => {
    assert.ok(all.length > 0);
    assert.deepEqual(
      all.filter((file) => !tests.some((some) => runs(some, file))),
      [],
    );
  });

  it('have tests in each place that they name', () => {
    for (const some of tests) {
      assert.ok(
        all.some((file) => runs(some, file)),
        some.files,
      );
    }
  });
});

function runs({ files, except }: TestFiles, file: string): boolean {
  return pattern(files).test(file) && (except === undefined || !pattern(except).test(file));
}

/** A pattern of a shell as one of JavaScript. */
function pattern(text: string): RegExp {
  const parts: Readonly<Record<string, string>> = {
    '**/': '(?:[^/]+/)*',
    '*': '[^/]*',
    '{': '(?:',
    '}': ')',
    ',': '|',
    '.': '\\.',
  };
  return new RegExp(`^${text.replaceAll(/\*\*\/|[*{},.]/g, (part) => parts[part] ?? '')}$`);
}
