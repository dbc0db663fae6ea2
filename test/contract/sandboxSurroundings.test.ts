import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { StartParams } from '../../src/core/index.js';
import { collectEvents } from '../support/collect.js';
import { describeOnLinux } from '../support/onLinux.js';
import { PATH, sh } from '../support/startParams.js';
import { contractKinds, useBackend } from './backends.js';

const [local] = contractKinds;
const sandboxed = contractKinds.find(({ sandbox }) => sandbox !== undefined);

/** A program that prints what it has found. */
type Found = Partial<StartParams> & { readonly argv: readonly string[] };

const many = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, index) => [`MANY_${index}`, 'x'.repeat(9)]),
);
/** A shell would set PWD. */
const environment = ['env', '-0'];

/** The same in a sandbox as without one. */
const found: Readonly<Record<string, Found>> = {
  'odd variables': {
    argv: environment,
    env: { PATH, 'A-B': '1', '1': '2', 'a.b c': '3', '--help': '4', 'EMPTY': '', 'LINES': 'a\nb', 'Ü': 'ü' },
  },
  'variables of a shell': { argv: environment, env: { PATH, PWD: '/else', OLDPWD: '/', SHLVL: '7', _: 'x' } },
  'variables without PWD': { argv: environment, env: { PATH } },
  '2,000 variables': { argv: environment, env: { PATH, ...many } },
  'no variables': { argv: ['/usr/bin/env'], env: {} },
  'arguments': { argv: sh(`tr '\\0' '|' </proc/$$/cmdline`) },
  'arguments that look like options': {
    argv: ['/usr/bin/printf', '%s|', '--', '-c', 'A=B', '', 'a\nb', '$x'],
  },
  'its name': { argv: sh('echo "$0"'), arg0: '--login' },
  'its directory': { argv: ['pwd'], cwd: '/usr/share' },
  'signals': { argv: ['grep', '^Sig[IBC]', '/proc/self/status'] },
  'signals on a terminal': { argv: ['grep', '^Sig[IBC]', '/proc/self/status'], tty: true },
  'its limits': { argv: ['cat', '/proc/self/limits'] },
  'its umask, nice value and user': { argv: sh('umask; nice; id') },
  'a terminal': { argv: sh('test -t 0 && test -t 1 && test -t 2 && stty size && stty -a'), tty: true },
};

describeOnLinux('A program in a sandbox', () => {
  assert.ok(local && sandboxed);
  const without = useBackend(local);
  const within = useBackend(sandboxed);

  for (const [what, start] of Object.entries(found)) {
    it(`finds what it finds without one: ${what}`, async () => {
      const [expected, actual] = await Promise.all(
        [without, within].map(async (fixture) => {
          const { stdout, stderr, exit } = await collectEvents(await fixture.start(start));
          // The order of variables means nothing.
          return { stdout: stdout.split('\0').sort(), stderr, exit };
        }),
      );
      assert.deepEqual(actual, expected);
    });
  }

  for (const tty of [false, true]) {
    it(`has no open files but its three ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
      const { stdout } = await collectEvents(await within.start({ argv: sh('ls -C -w 0 /proc/$$/fd'), tty }));
      assert.equal(stdout.trimEnd(), '0  1  2');
    });
  }

  it('is not started by a bwrap of its own PATH', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'own-'));
    for (const name of ['bwrap', 'bash', 'env']) {
      fs.writeFileSync(path.join(folder, name), '#!/bin/sh\necho unprotected\n', { mode: 0o755 });
    }
    const { stdout } = await collectEvents(
      await within.start({ argv: ['/bin/echo', 'protected'], env: { PATH: `${folder}:${PATH}` } }),
    );
    assert.equal(stdout, 'protected\n');
  });
});
