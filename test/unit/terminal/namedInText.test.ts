import assert from 'node:assert/strict';

import fc from 'fast-check';

import { filesInLine, portsInText } from '../../../src/terminal/namedInText.js';

describe('the files that a line of output names', () => {
  const named = (text: string) =>
    filesInLine(text).map(({ path, line, column }) =>
      [path, line, column].filter((part) => part !== undefined),
    );

  it('are found as compilers and others write them, with the place in them', () => {
    for (const [text, ...files] of [
      ['src/a.ts:3:5 - error TS2304', ['src/a.ts', 3, 5]],
      ['./src/a.ts:2', ['./src/a.ts', 2]],
      ['  at run (/app/dist/main.js:10:7)', ['/app/dist/main.js', 10, 7]],
      ['  File "lib/x.py", line 12, in f', ['lib/x.py', 12]],
      ['a.cs(4,9): error CS1002', ['a.cs', 4, 9]],
      ['main.c:7: warning', ['main.c', 7]],
      ['/etc/hosts:1: unknown', ['/etc/hosts', 1]],
      ['in /home/jürgen/täglich.py:3', ['/home/jürgen/täglich.py', 3]],
      ['./app/[id]/page.tsx:3:1 [warn]', ['./app/[id]/page.tsx', 3, 1]],
      ['[src/a.ts:3] failed', ['src/a.ts', 3]],
      [String.raw`C:\work\a.cs(4): error`, [String.raw`C:\work\a.cs`, 4]],
      ['diff ../one/a.txt ~/two/b.txt', ['../one/a.txt'], ['~/two/b.txt']],
      ['error[E0425]:   --> src/main.rs:2:5', ['src/main.rs', 2, 5]],
    ] as const) {
      assert.deepEqual(named(text), files, text);
    }
  });

  it('are not addresses, times, versions or words', () => {
    for (const text of [
      'http://localhost:5173/',
      'at 10:30:12',
      'v1.2.3',
      'done.',
      'host:80',
      'no such file',
    ]) {
      assert.deepEqual(named(text), [], text);
    }
  });

  it('stand where the line has them, and take little time to find @property', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        for (const { at, length, path } of filesInLine(text)) {
          assert.ok(text.slice(at, at + length).startsWith(path));
        }
      }),
    );
    assert.equal(filesInLine('a/b '.repeat(1_000_000)).length, 20);
    assert.deepEqual(filesInLine(`${'a'.repeat(1_000_000)}/`), []);
    assert.deepEqual(filesInLine('['.repeat(1_000_000)), []);
  });
});

describe('the ports in an output', () => {
  it('are found as servers print them, the latest first', () => {
    const text = [
      'Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...',
      '  ➜  Local:   http://localhost:5173/',
      'listening on [::1]:3000',
      'Server running, port: 4711',
    ].join('\n');
    assert.deepEqual(portsInText(text), [4711, 3000, 5173, 8000]);
  });

  it('are not times, positions or versions', () => {
    for (const text of ['12:34:56', 'a.ts:1234:56', 'at 10:30', 'v1.2:99999', 'port 70000']) {
      assert.deepEqual(portsInText(text), [], text);
    }
  });

  it('are limited in number', () => {
    const text = Array.from({ length: 100 }, (_, index) => `:x:${2_000 + index}`).join('\n');
    assert.equal(portsInText(text).length, 20);
  });
});
