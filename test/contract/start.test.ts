import assert from 'node:assert/strict';

import type { StartParams } from '../../src/core/index.js';
import { assertRejects } from '../support/assertRejects.js';
import { utf8 } from '../support/bytes.js';
import { collectReads, untilEvent } from '../support/collect.js';
import { PATH } from '../support/startParams.js';
import { contractKinds, testsOf, useBackend } from './backends.js';

for (const kind of contractKinds) {
  const it = testsOf(kind);
  describe(`A start on the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const { start } = fixture;

    describe('the name it is told', () => {
      for (const tty of [false, true]) {
        it(`can be another one ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
          const process = await start({ argv: ['bash', '-c', 'echo "$0"'], arg0: 'x', tty });
          // With -c, bash does not take $0 from its own name, so look at the arguments in the kernel.
          const named = await start({
            processId: 'named',
            argv: ['sh', '-c', `tr '\\0' '\\n' </proc/$$/cmdline`],
            arg0: 'other name',
            tty,
          });
          assert.match((await collectReads(named)).output, /^other name\r?\n-c/);
          await untilEvent(process, 'closed');
        });
      }

      it('leaves the environment as it is on a terminal', async () => {
        const env = { ONLY_THIS: '1', SHLVL: '7', BASH_ENV: '/etc/profile', SHELL: '/bin/sh' };
        const process = await start({ argv: ['/usr/bin/env'], env: { ...env, PATH }, arg0: 'x', tty: true });
        const lines = (await collectReads(process)).output.split('\r\n').filter(Boolean);
        const expected = Object.entries({ ...env, PATH }).map(([name, value]) => `${name}=${value}`);
        assert.deepEqual(lines.sort(), expected.sort());
      });
    });

    describe('the environment', () => {
      const environment = async (some: Partial<StartParams>) => {
        const process = await start({ argv: ['/usr/bin/env'], env: {}, ...some });
        return (await collectReads(process)).output.split(/\r?\n/).filter(Boolean).sort();
      };

      it('is exactly what was given', async () => {
        assert.deepEqual(await environment({ env: { ONLY_THIS: '1' } }), ['ONLY_THIS=1']);
      });

      it('is exactly what was given on a terminal as well', async () => {
        assert.deepEqual(await environment({ env: { ONLY_THIS: '1' }, tty: true }), ['ONLY_THIS=1']);
      });

      it('is the policy with the overlay on top', async () => {
        const envPolicy = {
          inherit: 'none',
          ignoreDefaultExcludes: true,
          exclude: [],
          set: { POLICY_SET: 'policy' },
          includeOnly: [],
        } as const;
        assert.deepEqual(
          await environment({ envPolicy, env: { OVERLAY: 'overlay', POLICY_SET: 'overlay-wins' } }),
          ['OVERLAY=overlay', 'POLICY_SET=overlay-wins'],
        );
      });

      it('drops a variable without a name', async () => {
        assert.deepEqual(await environment({ env: { '': 'x', 'A': '1' } }), ['A=1']);
      });
    });

    describe('a start that fails', () => {
      const failing = async (
        some: Partial<StartParams> & { readonly argv: readonly string[] },
        code: number,
        wire: RegExp | string,
        people: RegExp,
      ) => {
        for (const tty of [false, true]) {
          const error = await assertRejects(start({ ...some, processId: 'again', tty }), code, wire);
          assert.match(error.message, people);
        }
        // Nothing is left of the failed start.
        assert.deepEqual(await fixture.backend.list(), []);
        assert.equal(await fixture.backend.write('again', utf8('x')), 'unknownProcess');
      };

      it('for an empty argument list', async () => {
        await failing({ argv: [] }, -32602, 'argv must not be empty', /argument list is empty/);
      });

      it('for an empty program', async () => {
        await failing({ argv: [''] }, -32603, /^missing program for (pipe|PTY) spawn$/, /name is empty/);
      });

      it('for a program that is not there', async () => {
        const wire = 'No such file or directory (os error 2)';
        const people = /"no-such-program" in \/tmp: there is no such program/;
        await failing({ argv: ['no-such-program'], cwd: '/tmp' }, -32603, wire, people);
        await failing({ argv: ['/no/such'] }, -32603, wire, /"\/no\/such" in .*no such program/);
        await failing({ argv: ['ls'], env: { PATH: '' } }, -32603, wire, /"ls".*no such program/);
        await failing({ argv: ['ls'], env: { PATH: '/nowhere' } }, -32603, wire, /"ls".*no such program/);
      });

      it('for a program that cannot be executed', async () => {
        const wire = 'Permission denied (os error 13)';
        await failing({ argv: ['/etc/passwd'] }, -32603, wire, /"\/etc\/passwd".*not an executable file/);
        await failing({ argv: ['/tmp'] }, -32603, wire, /"\/tmp".*not an executable file/);
      });

      it('for a directory that is missing, or is a file', async () => {
        const missing = 'No such file or directory (os error 2)';
        await failing({ argv: ['ls'], cwd: '/no/dir' }, -32603, missing, /"ls".*\/no\/dir does not exist/);
        const file = 'Not a directory (os error 20)';
        await failing({ argv: ['ls'], cwd: '/etc/passwd' }, -32603, file, /\/etc\/passwd is not a directory/);
      });

      it('for a NUL character', async () => {
        const wire = 'nul byte found in provided data';
        await failing({ argv: ['echo', 'a\0b'] }, -32603, wire, /an argument contains a NUL/);
        await failing({ argv: ['echo'], env: { A: '\0' } }, -32603, wire, /environment variable contains/);
        await failing({ argv: ['echo'], cwd: '/tmp\0' }, -32603, wire, /directory contains a NUL/);
      });

      it('for arguments that are too long', async () => {
        const argv = ['/bin/sh', '-c', 'x'.repeat(3_000_000)];
        await failing(
          { argv },
          -32603,
          /^Argument list too long/,
          /"\/bin\/sh".*too long for the system.*Put the long text into a file/,
        );
      });

      it('frees the id', async () => {
        await assert.rejects(start({ argv: ['no-such-program'], processId: 'id' }));
        assert.equal((await collectReads(await start({ argv: ['true'], processId: 'id' }))).exitCode, 0);
      });
    });

    it('has an id that no other process can take, in every state of the process', async () => {
      const text = 'process id already exists'.replace('id', 'same');
      const starting = start({ argv: ['sleep', '100'], processId: 'same' });
      await assertRejects(start({ argv: ['true'], processId: 'same' }), -32600, text);
      const process = await starting;
      await assertRejects(start({ argv: ['true'], processId: 'same' }), -32600, text);
      await process.terminate();
      await untilEvent(process, 'closed');
      await assertRejects(start({ argv: ['true'], processId: 'same' }), -32600, text);
    });

    describe('while it starts', () => {
      it('cannot be read, and a write is answered', async () => {
        const starting = start({ argv: ['sleep', '100'], processId: 'p' });
        const read = assertRejects(fixture.backend.read('p'), -32600, 'process id p is starting');
        const written = fixture.backend.write('p', utf8('x'));
        await read;
        assert.equal(await written, 'starting');
        await starting;
      });

      for (const tty of [false, true]) {
        it(`is cancelled by a terminate ${tty ? 'on a terminal' : 'on pipes'}`, async () => {
          const starting = start({ argv: ['sleep', '4242'], processId: 'p', tty });
          const rejected = assertRejects(starting, -32600, 'process p start was cancelled');
          assert.deepEqual(await fixture.backend.terminate('p'), { running: true });
          await rejected;
          assert.equal(await fixture.backend.write('p', utf8('x')), 'unknownProcess');
        });
      }

      it('is cancelled by a shutdown', async () => {
        const rejected = assertRejects(
          start({ argv: ['sleep', '100'], processId: 'p' }),
          -32600,
          'process p start was cancelled',
        );
        await fixture.backend.shutdown();
        await rejected;
        await assertRejects(start({ argv: ['true'] }), -32600, 'backend is shut down');
      });
    });
  });
}
