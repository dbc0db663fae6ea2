import assert from 'node:assert/strict';

import { lateModules } from '../../../src/cli/lateModules.js';

describe('late modules', () => {
  const loaded: string[] = [];
  const load = lateModules((id) => {
    loaded.push(id);
    return { name: id };
  });
  beforeEach(() => loaded.splice(0));

  it('are loaded when something of them is used, under either name', () => {
    const modules = ['node:child_process', 'child_process', 'node:fs/promises'].map(
      (id) => load(id) as { readonly name: string },
    );
    assert.deepEqual(loaded, []);
    assert.deepEqual(
      modules.map(({ name }) => name),
      ['node:child_process', 'child_process', 'node:fs/promises'],
    );
  });

  it('are no others', () => {
    assert.deepEqual(load('node:net'), { name: 'node:net' });
    assert.deepEqual(loaded, ['node:net']);
  });
});
