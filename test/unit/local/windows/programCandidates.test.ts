import assert from 'node:assert/strict';

import { programCandidates, variable } from '../../../../src/local/windows/programCandidates.js';

const hostEnv = { SystemRoot: 'C:\\Windows' };
const system = ['C:\\Windows\\System32', 'C:\\Windows'];

function candidates(program: string, env: Readonly<Record<string, string>>): readonly string[] {
  return programCandidates(program, { cwd: 'C:\\work', env, hostEnv });
}

/** The first places that are looked at, without those of the system. */
function ownCandidates(program: string, env: Readonly<Record<string, string>>): readonly string[] {
  return candidates(program, env).filter((file) => !file.startsWith('C:\\Windows\\'));
}

describe('A program on Windows', () => {
  const env = { Path: 'C:\\one;C:\\two', PATHEXT: '.COM;.EXE;.BAT;.CMD;.JS' };
  const endings = ['.com', '.exe', '.bat', '.cmd'];

  it('with a bare name is looked for on the PATH, with each ending that can be started, then in the system', () => {
    const expected = ['C:\\one', 'C:\\two', ...system].flatMap((directory) =>
      endings.map((ending) => `${directory}\\npm${ending}`),
    );
    assert.deepEqual(candidates('npm', env), expected);
  });

  const table: readonly (readonly [
    what: string,
    program: string,
    env: Readonly<Record<string, string>>,
    files: readonly string[],
  ])[] = [
    [
      'with an ending is that file before another',
      'npm.cmd',
      { PATH: 'C:\\one', PATHEXT: '.EXE' },
      ['C:\\one\\npm.cmd', 'C:\\one\\npm.cmd.exe'],
    ],
    [
      'with a dot in its name',
      'python3.12',
      { PATH: 'C:\\one', PATHEXT: '.EXE' },
      ['C:\\one\\python3.12', 'C:\\one\\python3.12.exe'],
    ],
    [
      'with an order of its own',
      'x',
      { PATH: 'C:\\one', PATHEXT: '.CMD; .exe' },
      ['C:\\one\\x.cmd', 'C:\\one\\x.exe'],
    ],
    [
      'with no ending that can be started',
      'x',
      { PATH: 'C:\\one', PATHEXT: '.JS' },
      endings.map((ending) => `C:\\one\\x${ending}`),
    ],
    ['without a PATHEXT', 'x', { PATH: 'C:\\one' }, endings.map((ending) => `C:\\one\\x${ending}`)],
    ['without a PATH', 'x', {}, []],
    ['with an empty PATH', 'x', { PATH: '' }, []],
    [
      'in quoted and empty parts of the PATH',
      'x.exe',
      { PATH: ';"C:\\a;b";;C:\\"Program Files"\\c;', PATHEXT: '.EXE' },
      [
        'C:\\a;b\\x.exe',
        'C:\\a;b\\x.exe.exe',
        'C:\\Program Files\\c\\x.exe',
        'C:\\Program Files\\c\\x.exe.exe',
      ],
    ],
    [
      'in a relative part of the PATH, from the directory of the start',
      'x',
      { PATH: 'bin', PATHEXT: '.EXE' },
      ['C:\\work\\bin\\x.exe'],
    ],
    [
      'with a relative path',
      '.\\tools\\x.cmd',
      { PATH: 'C:\\one', PATHEXT: '.EXE' },
      ['C:\\work\\tools\\x.cmd', 'C:\\work\\tools\\x.cmd.exe'],
    ],
    ['with slashes', '../x', { PATH: 'C:\\one', PATHEXT: '.EXE' }, ['C:\\x.exe']],
    ['with an absolute path', 'D:\\bin\\x', { PATH: 'C:\\one', PATHEXT: '.EXE' }, ['D:\\bin\\x.exe']],
    [
      'on a share',
      '\\\\host\\share\\x.exe',
      { PATHEXT: '.COM' },
      ['\\\\host\\share\\x.exe', '\\\\host\\share\\x.exe.com'],
    ],
    [
      'whose ending is hidden by dots and spaces, which Windows ignores',
      'C:\\one\\x.cmd . .',
      { PATHEXT: '.EXE' },
      ['C:\\one\\x.cmd', 'C:\\one\\x.cmd.exe'],
    ],
  ];
  for (const [what, program, variables, files] of table) {
    it(what, () => {
      assert.deepEqual(ownCandidates(program, variables), files);
    });
  }

  it('is never looked for in the current directory by its bare name', () => {
    for (const name of ['npm', 'npm.cmd', 'taskkill', 'cmd.exe']) {
      assert.deepEqual(
        candidates(name, env).filter((file) => file.startsWith('C:\\work')),
        [],
      );
    }
  });

  it('is found by the variables in any spelling, and by the first of several', () => {
    assert.equal(variable({ Path: 'b', PATH: 'a' }, 'PATH'), 'a');
    assert.equal(variable({ pAtH: 'c' }, 'PATH'), 'c');
    assert.equal(variable({}, 'PATH'), undefined);
  });
});
