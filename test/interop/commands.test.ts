import assert from 'node:assert/strict';
import path from 'node:path';

import { exec, outputOf, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: commands of the real client`, () => {
    const bench = useServer(kind);

    it('run on the server, in the folder of the model or another one, with nothing to read', async () => {
      const { outputs } = await bench.run([
        [
          exec('plain', 'echo "$MARK"; pwd; cat'),
          exec('elsewhere', 'echo "$MARK"; pwd', { workdir: '/usr' }),
          exec('silent', 'true'),
        ],
      ]);
      assert.deepEqual(resultOf(outputs, 'plain'), {
        exitCode: 0,
        sessionId: undefined,
        output: `${bench.mark}\n${bench.folder}\n`,
      });
      assert.equal(resultOf(outputs, 'elsewhere').output, `${bench.mark}\n/usr\n`);
      assert.equal(resultOf(outputs, 'silent').output, '');
    });

    it('end with their exit codes, and with 128 and the signal', async () => {
      const { outputs } = await bench.run([
        [
          exec('zero', 'echo "$MARK"'),
          exec('three', 'echo "$MARK"; exit 3'),
          exec('most', 'echo "$MARK"; exit 255'),
          exec('missing', 'echo "$MARK"; /does/not/exist'),
          exec('killed', 'echo "$MARK"; kill -KILL $$'),
          exec('terminated', 'echo "$MARK"; kill -TERM $$'),
        ],
      ]);
      const codes = ['zero', 'three', 'most', 'missing', 'killed', 'terminated'].map((id) => {
        const { exitCode, output } = resultOf(outputs, id);
        assert.ok(output.includes(`${bench.mark}\n`), output);
        return exitCode;
      });
      assert.deepEqual(codes, [0, 3, 255, 127, 137, 143]);
    });

    it('have what they print on stderr told as well', async () => {
      const { outputs } = await bench.run([
        [
          exec('only', 'echo "$MARK" >&2'),
          // The output comes through two pipes, without an order between them.
          exec('both', 'echo out; echo err >&2; echo "$MARK"'),
        ],
      ]);
      assert.equal(resultOf(outputs, 'only').output, `${bench.mark}\n`);
      const lines = resultOf(outputs, 'both').output.trimEnd().split('\n');
      assert.deepEqual(lines.sort(), ['err', bench.mark, 'out'].sort());
    });

    it('are refused in a folder that is not there, and the next one runs', async () => {
      const { outputs } = await bench.run([
        [exec('nowhere', 'echo "$MARK"', { workdir: path.join(bench.folder, 'missing') })],
        [exec('next', 'echo "$MARK"')],
      ]);
      assert.match(outputOf(outputs, 'nowhere').text, /exec_command failed/);
      assert.equal(resultOf(outputs, 'next').output, `${bench.mark}\n`);
    });

    it('run at the same time', async () => {
      // Each command ends only when it has seen the other.
      const meet = (own: string, other: string) =>
        `echo "$MARK"; ${bench.tell(own)}; until [ -e ${other} ]; do sleep 0.02; done; echo met`;
      const { outputs } = await bench.run([
        [exec('one', meet('one', 'two')), exec('two', meet('two', 'one'))],
      ]);
      for (const id of ['one', 'two']) {
        assert.equal(resultOf(outputs, id).output, `${bench.mark}\nmet\n`);
      }
    });
  });
}
