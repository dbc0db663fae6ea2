import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import { commandLineFor } from '../../../../src/core/index.js';

const AWKWARD = [
  "./it's here.sh",
  'a b',
  '$HOME',
  '`id`',
  'x;y&z',
  '"q"',
  String.raw`back\slash\\`,
  '*',
  '-n',
  '',
];

describe('A command line with the quotes of its shell', () => {
  for (const shell of ['sh', 'bash']) {
    it(`is read by ${shell} as the list that was meant`, () => {
      const print = [
        process.execPath,
        '-e',
        'console.log(JSON.stringify(process.argv.slice(1)))',
        '--',
        ...AWKWARD,
      ];
      const read = execFileSync(shell, ['-c', commandLineFor(shell, print)], { encoding: 'utf8' });
      assert.deepEqual(JSON.parse(read), AWKWARD);
    });
  }

  it('has the quotes of PowerShell, and an operator that runs a program with quotes', () => {
    const line = (...argv: readonly string[]) =>
      commandLineFor('C:\\Program Files\\PowerShell\\7\\pwsh.exe', argv);
    assert.equal(line('.\\build.ps1', "it's", '$env:PATH', 'a,b'), ".\\build.ps1 'it''s' '$env:PATH' 'a,b'");
    assert.equal(line('.\\a b.ps1', '-x'), "& '.\\a b.ps1' -x");
    assert.equal(line('\u2019'), "& '\u2019\u2019'");
    assert.equal(commandLineFor('powershell', ['a b']), "& 'a b'");
  });

  it('has the quotes of cmd.exe, and no variable in a name with percent signs', () => {
    const line = (...argv: readonly string[]) => commandLineFor('C:\\Windows\\system32\\cmd.exe', argv);
    assert.equal(line('.\\run me.cmd', 'a&b', 'plain-1.txt'), '".\\run me.cmd" "a&b" plain-1.txt');
    assert.equal(line('100%PATH%.bat'), '"100"^%"PATH"^%".bat"');
  });

  it('has the quotes of fish, where a backslash in quotes means something', () => {
    assert.equal(
      commandLineFor('/usr/bin/fish', ["it's", String.raw`a\b c`, 'x']),
      String.raw`'it\'s' 'a\\b c' x`,
    );
  });
});
