import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';

import type { StartParams } from '../../../../src/core/index.js';
import { OneATurn } from '../../../../src/local/child/startChild.js';
import { LocalBackend } from '../../../../src/local/index.js';
import { assertRejects } from '../../../support/assertRejects.js';
import { params } from '../../../support/startParams.js';

describe('A start that the system would take in another sense', () => {
  const refused = async (some: Partial<Record<keyof StartParams, unknown>>, wire: string, people: RegExp) => {
    const backend = new LocalBackend();
    for (const tty of [false, true]) {
      const asked = { ...params({ argv: ['true'], tty }), ...some } as StartParams;
      const error = await assertRejects(backend.start(asked), -32602, wire);
      assert.match(error.message, people);
    }
    assert.deepEqual(await backend.list(), []);
    await backend.shutdown();
  };

  it('is refused for a directory that is relative or empty', async () => {
    await refused({ cwd: 'src' }, 'cwd is not an absolute path: "src"', /"src" is not an absolute path/);
    await refused({ cwd: '' }, 'cwd is not an absolute path: ""', /"" is not an absolute path/);
  });

  it('is refused for a variable whose name has "=" in it', async () => {
    const wire = 'environment variable name contains "=": A=B';
    const inPolicy = { inherit: 'none', ignoreDefaultExcludes: true, exclude: [], includeOnly: [] };
    for (const some of [{ env: { 'A=B': 'c' } }, { envPolicy: { ...inPolicy, set: { 'A=B': 'c' } } }]) {
      await refused(some, wire, /no variable can be called "A=B"/);
    }
  });

  it('is refused for what is no text', async () => {
    await refused({ argv: ['true', 5] }, 'an argument is not a string', /an argument is not a text/);
    await refused({ argv: 'ls' }, 'an argument is not a string', /an argument is not a text/);
    await refused({ argv: undefined }, 'an argument is not a string', /an argument is not a text/);
    const hole = ['true', 'x'];
    hole.length = 3;
    await refused({ argv: hole }, 'an argument is not a string', /an argument is not a text/);
    const envPolicy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
    const pattern = 'a pattern of names of variables is not a string';
    for (const patterns of [{ exclude: [5] }, { includeOnly: [5] }]) {
      const bad = { envPolicy: { ...envPolicy, ...patterns } };
      await refused(bad, pattern, /a pattern of names of variables is not a text/);
    }
    await refused({ arg0: 5 }, 'the name of the program is not a string', /the program is not a text/);
    await refused({ env: { A: 1 } }, 'an environment variable is not a string', /variable is not a text/);
    await refused({ cwd: undefined }, 'the working directory is not a string', /directory is not a text/);
  });
});

describe('OneATurn', () => {
  it('lets the first through without a turn, and the others one in each, in order', async () => {
    const gate = new OneATurn();
    const passed: number[] = [];
    const all = [1, 2, 3].map((number) => gate.pass().then(() => passed.push(number)));
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(passed, [1]);
    const seen: number[] = [];
    while (passed.length < 3) {
      await turn();
      seen.push(passed.length);
    }
    // No two of them were in the same turn.
    assert.ok(seen.every((count, index) => count - (seen[index - 1] ?? 1) <= 1));
    assert.deepEqual(passed, [1, 2, 3]);
    await Promise.all(all);
    await turn();
    await turn();
    await gate.pass();
  });
});
