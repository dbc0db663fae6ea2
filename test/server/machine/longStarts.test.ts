import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import { isExecError } from '../../../src/core/index.js';
import { collectEvents } from '../../support/collect.js';
import { describeOnLinux } from '../../support/onLinux.js';
import { PATH, params, sh } from '../../support/startParams.js';
import { useMachine } from './machineFixture.js';

/** The bytes of one argument or variable, including the NUL at its end: 32 pages, which is 131,072 bytes on x64. */
const MOST_BYTES = 32 * Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));

describeOnLinux('A start on a session server with a long text', () => {
  const fixture = useMachine();

  for (const tty of [false, true]) {
    const where = tty ? 'on a terminal' : 'on pipes';
    const texts = {
      argument: (bytes: number) => ({
        argv: [...sh('echo ${#1}'), 'sh', 'x'.repeat(bytes)] as const,
        shown: bytes,
      }),
      variable: (bytes: number) => ({
        argv: sh('echo ${#LONG}'),
        env: { PATH, LONG: 'x'.repeat(bytes - 'LONG='.length) },
        shown: bytes - 'LONG='.length,
      }),
    };

    for (const [what, withText] of Object.entries(texts)) {
      it(`in one ${what} runs ${where} as long as the system takes it, and says that it is too long above`, async () => {
        const { backend } = (await fixture.connect()) ?? assert.fail('There is no server.');
        const { shown, ...most } = withText(MOST_BYTES - 1);
        const process = await backend.start({ ...params({ ...most, tty, processId: 'most' }), owned: true });
        const { stdout, exit } = await collectEvents(process);
        assert.deepEqual([stdout.trim(), exit?.exitCode], [String(shown), 0]);
        const { argv, env } = { env: { PATH }, ...withText(MOST_BYTES) };
        await assert.rejects(
          backend.start({ ...params({ argv, env, tty, processId: 'above' }), owned: true }),
          (error: unknown) =>
            isExecError(error) &&
            error.failure.kind === 'argumentsTooLong' &&
            /^Cannot start "\/bin\/sh" .*too long for the system.*Put the long text into a file/.test(
              error.message,
            ),
        );
        // A start that was refused is no session.
        assert.deepEqual(
          (await backend.list()).map(({ processId }) => processId),
          ['most'],
        );
        assert.equal((await process.startedWith()).argv.join(), most.argv.join());
      });
    }
  }
});
