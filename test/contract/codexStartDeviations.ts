import assert from 'node:assert/strict';

import { assertRejects } from '../support/assertRejects.js';
import { collectEvents, collectReads } from '../support/collect.js';
import { params, PATH } from '../support/startParams.js';
import type { Deviation } from './deviations.js';

const start = (test: string) => `A start on the * backend > ${test}`;

const NO_SUCH = 'No such file or directory (os error 2)';
const NOT_IN_PATH = /^Unable to spawn .* because:\nNo viable candidates found in PATH/;

export const codexStartDeviations: readonly Deviation[] = [
  {
    test: start('the environment > is exactly what was given on a terminal as well'),
    reason: 'on a terminal it adds SHELL if there is none',
    instead: async ({ start }) => {
      const environment = async (env: Readonly<Record<string, string>>) => {
        const process = await start({
          argv: ['/usr/bin/env'],
          env,
          tty: true,
          processId: JSON.stringify(env),
        });
        return (await collectReads(process)).output.split('\r\n').filter(Boolean).sort();
      };
      const [first, shell, ...others] = await environment({ ONLY_THIS: '1' });
      assert.equal(first, 'ONLY_THIS=1');
      assert.match(shell ?? '', /^SHELL=\//);
      assert.deepEqual(others, []);
      assert.deepEqual(await environment({ SHELL: 'mine' }), ['SHELL=mine']);
    },
  },
  {
    test: start('a start that fails > for a program that is not there'),
    reason: 'on a terminal it has other words for it, with the whole PATH in them',
    instead: async ({ start }) => {
      const people = /"no-such-program" in \/tmp: there is no such program/;
      const some = { argv: ['no-such-program'], cwd: '/tmp' };
      const onPipes = await assertRejects(start(some), -32603, NO_SUCH);
      assert.match(onPipes.message, people);
      const onTerminal = await assertRejects(start({ ...some, tty: true }), -32603, NOT_IN_PATH);
      assert.match(onTerminal.message, people);
      assert.ok(!onTerminal.message.includes(PATH));
    },
  },
  {
    test: start('a start that fails > for a directory that is missing, or is a file'),
    reason: 'on a terminal it starts in the home directory instead',
    instead: async ({ start }) => {
      const missing = await assertRejects(start({ argv: ['ls'], cwd: '/no/dir' }), -32603, NO_SUCH);
      assert.match(missing.message, /"ls".*\/no\/dir does not exist/);
      const file = await assertRejects(
        start({ argv: ['ls'], cwd: '/etc/passwd' }),
        -32603,
        'Not a directory (os error 20)',
      );
      assert.match(file.message, /\/etc\/passwd is not a directory/);
      const elsewhere = await start({
        argv: ['pwd'],
        cwd: '/no/dir',
        env: { PATH, HOME: '/usr' },
        tty: true,
      });
      assert.equal((await collectReads(elsewhere)).output, '/usr\r\n');
    },
  },
  {
    test: start('a start that fails > for arguments that are too long'),
    reason: 'on a terminal the start succeeds, and the child dies of it',
    instead: async ({ start }) => {
      const { argv } = params({ argv: ['/bin/sh', '-c', 'x'.repeat(3_000_000)] });
      const error = await assertRejects(start({ argv }), -32603, /^Argument list too long/);
      assert.match(error.message, /"\/bin\/sh".*too long for the system.*Put the long text into a file/);
      const child = await start({ argv, tty: true, processId: 'terminal' });
      assert.notEqual((await collectEvents(child)).exit?.exitCode, 0);
    },
  },
];
