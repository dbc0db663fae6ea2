import assert from 'node:assert/strict';

import { REFUSALS, type Written } from '../../../support/refusals.js';
import { withRefusal } from '../../../../src/local/sandbox/refusal.js';

function refusal(exitCode: number, ...written: readonly Written[]) {
  const output = written.map(([stream, text], index) => ({
    seq: index + 1,
    stream,
    bytes: typeof text === 'string' ? Buffer.from(text) : text,
  }));
  return withRefusal({ exitCode }, output).refused;
}

/** Lines of real programs, and the files that they name. */
const LINES: readonly (readonly [line: string, file: string | undefined])[] = [
  ['bash: line 1: /etc/hosts: Read-only file system', '/etc/hosts'],
  ['/bin/sh: 1: cannot create /etc/hosts: Read-only file system', '/etc/hosts'],
  ['zsh: read-only file system: /etc/hosts', '/etc/hosts'],
  ["touch: cannot touch '/a b/c': Permission denied", '/a b/c'],
  ['mkdir: cannot create directory ‘/ä’: Read-only file system', '/ä'],
  ['rm: cannot remove "/it\'s": Operation not permitted', "/it's"],
  ["mv: cannot move '/a' to '/b': Read-only file system", '/b'],
  ["touch: cannot touch 'hosts': Read-only file system", 'hosts'],
  ["fatal: Unable to create '/w/.git/index.lock': Read-only file system", '/w/.git/index.lock'],
  ['error: could not lock config file .git/config: Read-only file system', '.git/config'],
  ['open /etc/hosts: read-only file system', '/etc/hosts'],
  ["Error: EROFS: read-only file system, open '/etc/hosts'", '/etc/hosts'],
  ["npm ERR! Error: EACCES: permission denied, rename '/a' -> '/b'", '/a'],
  ["PermissionError: [Errno 13] Permission denied: '/root/x'\r", '/root/x'],
  ["OSError: [Errno 30] Read-only file system: '/etc/x y'", '/etc/x y'],
  ['java.io.FileNotFoundException: /etc/x (Read-only file system)', '/etc/x'],
  ['strace: PTRACE_TRACEME: Operation not permitted', undefined],
  ['ping: socket: Operation not permitted', undefined],
  ['bash: kill: (1) - Operation not permitted', undefined],
  ['error: failed: Permission denied (os error 13)', undefined],
  ['Permission denied', undefined],
  ["touch: cannot touch '/\u001b[31mred': Permission denied", undefined],
  ["touch: cannot touch '/\u202ereversed': Permission denied", undefined],
  [`touch: cannot touch '/${'long/'.repeat(1000)}': Permission denied`, undefined],
  ["touch: cannot touch '': Permission denied", undefined],
  [": Permission denied: '", undefined],
  [': Permission denied: ', undefined],
];

describe('The refusal of a sandbox', () => {
  for (const { title, refused, exitCode, written } of REFUSALS) {
    it(`${refused ? 'is seen in' : 'is not seen in'} ${title}`, () => {
      assert.equal(refusal(exitCode, ...written) !== undefined, refused);
    });
  }

  it('names the file that programs name', () => {
    const files = LINES.map(([line]) => refusal(1, ['stdout', `first\n${line}\nlast`])?.file);
    assert.deepEqual(
      files,
      LINES.map(([, file]) => file),
    );
  });

  it('names the last file, and that of the error output first', () => {
    const line = (file: string) => `${file}: Permission denied\nAn error follows.\n`;
    const output = ['/1', '/2'].map((file): Written => ['stdout', line(file)]);
    assert.deepEqual(refusal(1, ...output), { file: '/2' });
    assert.deepEqual(refusal(1, ['stderr', line('/0')], ...output), { file: '/0' });
  });

  it('keeps the rest of the status', () => {
    const status = { exitCode: 159, signal: 'SIGSYS' };
    assert.deepEqual(withRefusal(status, []), { ...status, refused: {} });
  });

  it('takes linear time for hostile output', () => {
    const size = 1024 * 1024;
    const fill = (text: string) => text.repeat(size / text.length);
    for (const text of [
      fill('permission denied'),
      fill('permission denied: '),
      fill('a: Permission denied\n'),
      `permission denied: ${fill("'")}`,
      `permission denied: ${fill('/')} `,
      `${fill('/')} x: permission denied`,
      `${fill(" '")}': permission denied`,
      fill('\n'),
    ]) {
      refusal(1, ['stdout', text]);
    }
  });
});
