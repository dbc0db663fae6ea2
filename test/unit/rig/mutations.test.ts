import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { mutations } from '../../mutations/mutations.js';
import { root } from '../../rig/paths.js';

describe('The mutations', () => {
  it('are forty', () => {
    assert.equal(mutations.length, 40);
  });

  it('change one place of the source, and name files of tests', () => {
    const wrong = mutations.filter(({ file, from, to, tests }) => {
      const places = fs.readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
      return places !== 1 || from === to || !tests.every((test) => fs.existsSync(path.join(root, test)));
    });
    assert.deepEqual(wrong, []);
  });
});
