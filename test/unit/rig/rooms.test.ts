import assert from 'node:assert/strict';
import path from 'node:path';

import { importsIn, readImports, sourceFiles } from '../../rig/imports.js';
import { wrongImports, type Import } from '../../rig/rooms.js';

const folders = new Set(
  sourceFiles
    .filter((file) => path.posix.basename(file) === 'index.ts')
    .map((file) => path.posix.dirname(file)),
);
const wrongIn = (...imports: readonly (readonly [from: string, to: string])[]) =>
  wrongImports(
    imports.map(([from, to]): Import => ({ from, to, typeOnly: false })),
    folders,
  );

describe('The rooms', () => {
  it('are kept by every file, and none import each other in a circle', () => {
    const imports = readImports();
    assert.ok(imports.length > 1000, `only ${imports.length} imports were found`);
    assert.deepEqual(wrongImports(imports, folders), []);
  });

  it('let nobody into a room that is not theirs', () => {
    assert.deepEqual(wrongIn(['core/a.ts', 'local/index.ts']), [
      'src/core/a.ts imports src/local/index.ts: src/core may not import this: see the rooms in docs/internals.md.',
    ]);
    assert.equal(wrongIn(['core/a.ts', 'extension.ts']).length, 1);
    assert.deepEqual(wrongIn(['local/a.ts', 'core/index.ts'], ['extension.ts', 'entry/a.ts']), []);
  });

  it('let nobody into an inner room that is not theirs, nor back to the top', () => {
    assert.deepEqual(wrongIn(['protocol/messages/a.ts', 'protocol/transport/b.ts']), [
      'src/protocol/messages/a.ts imports src/protocol/transport/b.ts: src/protocol/messages may not import this: see the rooms in docs/internals.md.',
    ]);
    assert.equal(wrongIn(['protocol/messages/a.ts', 'protocol/b.ts']).length, 1);
    assert.deepEqual(
      wrongIn(
        ['protocol/messages/a.ts', 'protocol/limits.ts'],
        ['protocol/connection/a.ts', 'protocol/messages/b.ts'],
      ),
      [],
    );
  });

  it('are entered through their index.ts', () => {
    assert.deepEqual(wrongIn(['local/a.ts', 'core/processLog.ts']), [
      'src/local/a.ts imports src/core/processLog.ts: src/core is entered through its index.ts.',
    ]);
    assert.deepEqual(wrongIn(['core/a/b.ts', 'core/c.ts'], ['mcp/a.ts', 'agent/definitions.ts']), []);
  });

  it('have no circles, but of types', () => {
    const circle = [
      { from: 'core/a.ts', to: 'core/b.ts', typeOnly: false },
      { from: 'core/b.ts', to: 'core/c.ts', typeOnly: false },
    ];
    const back = { from: 'core/c.ts', to: 'core/a.ts' };
    assert.deepEqual(wrongImports([...circle, { ...back, typeOnly: false }], folders), [
      'These import each other in a circle: src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts',
    ]);
    assert.deepEqual(wrongImports([...circle, { ...back, typeOnly: true }], folders), []);
  });
});

describe('The imports of a file', () => {
  const seen = (text: string) => importsIn('core/a.ts', text).map(({ to, typeOnly }) => [to, typeOnly]);

  it('are found in each of their forms', () => {
    const of = (typeOnly: boolean) => [['core/processLog.ts', typeOnly]];
    assert.deepEqual(seen("import { a } from './processLog.js';"), of(false));
    assert.deepEqual(seen("import './processLog.js';"), of(false));
    assert.deepEqual(seen("export * from './processLog.js';"), of(false));
    assert.deepEqual(seen("const a = await import('./processLog.js');"), of(false));
    assert.deepEqual(seen("const a = require('./processLog.js');"), of(false));
    assert.deepEqual(seen("import a = require('./processLog.js');"), of(false));
    assert.deepEqual(seen("import type { A } from './processLog.js';"), of(true));
    assert.deepEqual(seen("export type { A } from './processLog.js';"), of(true));
    assert.deepEqual(seen("let a: import('./processLog.js').A;"), of(false));
  });

  it('are not only of types if one of them is not', () => {
    const both = seen("import type { A } from './processLog.js';\nimport { b } from './processLog.js';");
    assert.ok(both.every(([, typeOnly]) => typeOnly === false));
  });

  it('are of files that are there', () => {
    assert.throws(() => seen("import './nothing.js';"), /nothing\.js, which is not there/);
  });
});
