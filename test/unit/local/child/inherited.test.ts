import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Inherited } from '../../../../src/core/index.js';
import { viaShell } from '../../../../src/local/child/viaShell.js';
import { ownInherited, shellLinesFor } from '../../../../src/local/child/inherited.js';
import { LocalBackend } from '../../../../src/local/index.js';
import { assertRejects } from '../../../support/assertRejects.js';
import { collectReads } from '../../../support/collect.js';
import { describeOnLinux } from '../../../support/onLinux.js';
import { params, PATH, sh } from '../../../support/startParams.js';

describeOnLinux('A process that inherits from its starter', () => {
  let backend: LocalBackend;
  let own: Inherited;
  before(() => {
    backend = new LocalBackend();
    own = ownInherited() ?? assert.fail('Linux tells the umask');
  });
  after(() => backend.shutdown());

  let starts = 0;
  const outputOf = async (some: Parameters<typeof params>[0]) => {
    starts += 1;
    const process = await backend.start({ ...params(some), processId: `p${starts}` });
    return (await collectReads(process)).output.replaceAll('\r\n', '\n');
  };

  for (const tty of [false, true]) {
    it(`has its umask and its lower limits ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
      const inherited = { umask: 0o27, hardLimits: { ...own.hardLimits, n: 300, c: 0 } };
      const argv = sh('umask; ulimit -n; ulimit -H -n; ulimit -H -c; ulimit -H -s');
      const stack = await outputOf({ argv: sh('ulimit -H -s'), tty });
      assert.equal(await outputOf({ argv, tty, inherited }), `0027\n300\n300\n0\n${stack}`);
    });

    it(`keeps its variables and its name ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
      const env = { PATH, 'SHLVL': '7', 'BASH_ENV': '/etc/profile', 'B.C': '', 'BASH_FUNC_f%%': '() { :; }' };
      const inherited = { ...own, umask: 0o77 };
      const printed = await outputOf({ argv: ['/usr/bin/env'], env, tty, inherited });
      const expected = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      assert.deepEqual(printed.trimEnd().split('\n').sort(), expected.sort());
      const named = { argv: sh(`tr '\\0' '\\n' </proc/$$/cmdline`), arg0: 'other name', tty, inherited };
      assert.match(await outputOf(named), /^other name\n-c/);
    });
  }

  it('names a program that is missing', async () => {
    const inherited = { ...own, umask: 0o77 };
    const error = await assertRejects(
      backend.start(params({ argv: ['/no/such'], inherited })),
      -32603,
      'No such file or directory (os error 2)',
    );
    assert.match(error.message, /there is no such program/);
  });

  it('takes no shell for what is the same, or above the limits of the backend', () => {
    const high = Object.fromEntries(Object.keys(own.hardLimits).map((letter) => [letter, null]));
    assert.deepEqual(shellLinesFor(own, own), []);
    assert.deepEqual(shellLinesFor({ ...own, hardLimits: high }, own), []);
    assert.deepEqual(shellLinesFor({ ...own, hardLimits: {} }, own), []);
  });

  it('takes any other shell where there is no bash', async () => {
    const wanted = { umask: 0o77, hardLimits: { u: 1000, n: 300 } };
    const start = {
      cwd: '/',
      env: {},
      mark: undefined,
      size: undefined,
      pipeStdin: false,
      stderrToStdout: false,
    };
    const { argv } = viaShell(
      { ...start, argv: ['/bin/sh', '-c', 'umask; ulimit -n'], shellLines: shellLinesFor(wanted, own) },
      { find: () => undefined },
    );
    const [shell, ...rest] = argv;
    assert.equal(shell, '/bin/sh');
    const { stdout, stderr } = await promisify(execFile)(shell, rest);
    assert.deepEqual({ stdout, stderr }, { stdout: '0077\n300\n', stderr: '' });
  });
});
