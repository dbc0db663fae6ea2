import assert from 'node:assert/strict';

import { exec, execInBackground, poll, resultOf, sessionOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: long commands of the real client`, () => {
    const bench = useServer(kind);

    it('are polled while other commands run, and nothing of what they print is missing', async () => {
      const untilThere = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;
      const { outputs } = await bench.run([
        [
          execInBackground(
            'long',
            `echo "$MARK"; ${untilThere('first')}; echo 1; ${untilThere('second')}; echo 2; ${bench.tell('printed')}; ` +
              `${untilThere('third')}; echo 3; exit 6`,
          ),
        ],
        [exec('beside', `echo "$MARK"; ${bench.tell('first')}; ${bench.tell('second')}`)],
        async (seen) => {
          await bench.untilThere('printed');
          // This is the shortest wait without input; the command continues after it.
          return [poll(sessionOf(seen, 'long'), 'poll', 5_000)];
        },
        (seen) => {
          assert.equal(resultOf(seen, 'poll').exitCode, undefined);
          bench.put('third');
          return [poll(sessionOf(seen, 'long'), 'end')];
        },
      ]);
      assert.equal(resultOf(outputs, 'beside').output, `${bench.mark}\n`);
      assert.equal(
        resultOf(outputs, 'long').output + resultOf(outputs, 'poll').output,
        `${bench.mark}\n1\n2\n`,
      );
      assert.deepEqual(resultOf(outputs, 'end'), { exitCode: 6, sessionId: undefined, output: '3\n' });
    });

    it('that still run when the client leaves are ended', async () => {
      await bench.run([
        [execInBackground('left', `${bench.tell('running', '$MARK')}; exec sleep 4243`)],
        async () => {
          await bench.untilThere('running');
          return [];
        },
      ]);
      assert.equal(bench.textOf('running'), bench.mark);
      await bench.untilGone('CODEX_CI=1', `MARK=${bench.mark}`);
    });
  });
}
