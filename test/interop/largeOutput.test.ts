import assert from 'node:assert/strict';

import { exec, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

/** The output of `seq` up to a number of six digits. */
const LINES = 600_000;
const BYTES = 9 * 2 + 90 * 3 + 900 * 4 + 9_000 * 5 + 90_000 * 6 + (LINES - 99_999) * 7;

for (const kind of interopServers) {
  describe(`${kind.name}: large output for the real client`, () => {
    const bench = useServer(kind);

    it('arrives whole, from pipes and from a terminal at the same time', async () => {
      const print = `echo "$MARK"; seq ${LINES}; echo "$MARK"`;
      const few = { max_output_tokens: 200 };
      const { outputs } = await bench.run([
        [exec('pipes', print, few), exec('terminal', `stty -opost; ${print}`, { ...few, tty: true })],
      ]);
      for (const id of ['pipes', 'terminal']) {
        const { exitCode, output } = resultOf(outputs, id);
        assert.equal(exitCode, 0);
        // The client keeps the beginning and the end of the output, and counts the rest. It counts four bytes as a
        // token.
        const total = BYTES + 2 * (bench.mark.length + 1);
        const counted = Number(/original token count: (\d+)\)/.exec(output)?.[1]);
        const whole = Math.ceil(total / 4);
        assert.ok(counted === whole || (kind.mayLoseOutput === true && counted < whole), `${counted} tokens`);
        assert.match(output, new RegExp(`${bench.mark}\\n1\\n2\\n`));
        assert.match(output, new RegExp(`${LINES - 1}\\n${LINES}\\n${bench.mark}\\n`));
      }
    });

    it('need not be text', async () => {
      const { outputs } = await bench.run([[exec('bytes', `echo "$MARK"; printf 'a\\377\\000b\\n'`)]]);
      assert.equal(resultOf(outputs, 'bytes').output, `${bench.mark}\na\ufffd\0b\n`);
    });
  });
}
