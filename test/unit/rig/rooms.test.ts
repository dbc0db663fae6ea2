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
    imports.map(([from, to]): Import => ({ from, to })),
    folders,
  );

describe('The rooms', () => {
  it('are kept by every file, and none import each other in a circle', () => {
    const imports = readImports();
    assert.ok(imports.length > 1000, `only ${imports.length} imports were found`);
    assert.deepEqual(wrongImports(imports, folders), []);
  });

  it('refuse an import of a room that is not allowed', () => {
    assert.deepEqual(wrongIn(['core/a.ts', 'local/index.ts']), [
      'src/core/a.ts imports src/local/index.ts: src/core may not import this: see the rooms in docs/internals.md.',
    ]);
    assert.equal(wrongIn(['core/a.ts', 'extension.ts']).length, 1);
    assert.deepEqual(wrongIn(['local/a.ts', 'core/index.ts'], ['extension.ts', 'entry/a.ts']), []);
  });

  it('refuse an import of a foreign inner room, or back to the top', () => {
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
    assert.deepEqual(wrongIn(['local/a.ts', 'core/clock.ts']), [
      'src/local/a.ts imports src/core/clock.ts: src/core is entered through its index.ts.',
    ]);
    assert.deepEqual(wrongIn(['core/a/b.ts', 'core/c.ts'], ['mcp/a.ts', 'agent/definitions.ts']), []);
  });

  it('have no circles, of types either', () => {
    assert.deepEqual(
      wrongIn(['core/a.ts', 'core/b.ts'], ['core/b.ts', 'core/c.ts'], ['core/c.ts', 'core/a.ts']),
      [
        'These import each other in a circle: src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts',
      ],
    );
  });
});

describe('The imports of a file', () => {
  const seen = (text: string) => importsIn('core/a.ts', text).map(({ to }) => to);

  for (const text of [
    "import { a } from './clock.js';",
    "import './clock.js';",
    "export * from './clock.js';",
    "const a = await import('./clock.js');",
    "const a = require('./clock.js');",
    "import a = require('./clock.js');",
    "import type { A } from './clock.js';",
    "export type { A } from './clock.js';",
    "let a: import('./clock.js').A;",
  ]) {
    it(`are found in ${text}`, () => {
      assert.deepEqual(seen(text), ['core/clock.ts']);
    });
  }

  it('name files that exist', () => {
    assert.throws(() => seen("import './nothing.js';"), /nothing\.js, which is not there/);
  });
});
