import assert from 'node:assert/strict';

import { exec, execInBackground, resultOf, sessionOf, typeInto } from './calls.js';
import { interopServers, useServer } from './servers.js';

const CONTROL_C = '\u0003';
const CONTROL_D = '\u0004';

for (const kind of interopServers) {
  describe(`${kind.name}: terminals of the real client`, () => {
    const bench = useServer(kind);

    it('are terminals of 24 rows and 80 columns', async () => {
      const { outputs } = await bench.run([
        [
          exec('look', 'echo "$MARK"; test -t 0 && test -t 1 && test -t 2; echo $?; stty size', {
            tty: true,
          }),
        ],
      ]);
      const { exitCode, output } = resultOf(outputs, 'look');
      assert.deepEqual(output.split(/\r?\n/), [bench.mark, '0', '24 80', '']);
      assert.equal(exitCode, 0);
    });

    it('echo what is typed and give it to the program, until control-D', async () => {
      const { outputs } = await bench.run([
        [
          execInBackground('cat', `echo "$MARK"; ${bench.tell('ready')}; cat; echo the end; exit 4`, {
            tty: true,
          }),
        ],
        async (seen) => {
          await bench.untilThere('ready');
          return [typeInto(sessionOf(seen, 'cat'), 'line', 'a line with ünïcödé 😀\n', 250)];
        },
        (seen) => [typeInto(sessionOf(seen, 'cat'), 'end', CONTROL_D)],
      ]);
      const all = ['cat', 'line', 'end'].map((id) => resultOf(outputs, id).output).join('');
      assert.deepEqual(all.split(/\r?\n/), [
        bench.mark,
        'a line with ünïcödé 😀',
        'a line with ünïcödé 😀',
        'the end',
        '',
      ]);
      assert.equal(resultOf(outputs, 'end').exitCode, 4);
    });

    // The sandbox of the real server takes the terminal away from its program.
    if (kind.ours || kind.sandbox === 'danger-full-access') {
      it('interrupt with control-C', async () => {
        const { outputs } = await bench.run([
          [
            execInBackground(
              'wait',
              `trap 'echo caught; exit 5' INT; echo "$MARK"; ${bench.tell('ready')}; while :; do sleep 0.02; done`,
              {
                tty: true,
              },
            ),
          ],
          async (seen) => {
            await bench.untilThere('ready');
            return [typeInto(sessionOf(seen, 'wait'), 'interrupt', CONTROL_C)];
          },
        ]);
        const { exitCode, output } = resultOf(outputs, 'interrupt');
        const all = (resultOf(outputs, 'wait').output + output).split(/\r?\n/);
        assert.deepEqual(
          [all[0], all.includes('^Ccaught') || all.includes('caught'), exitCode],
          [bench.mark, true, 5],
        );
      });
    }

    it('are not needed for control-C: without one it is a signal', async () => {
      const { outputs } = await bench.run([
        [execInBackground('wait', `echo "$MARK"; ${bench.tell('ready')}; sleep 1000`)],
        async (seen) => {
          await bench.untilThere('ready');
          return [typeInto(sessionOf(seen, 'wait'), 'interrupt', CONTROL_C)];
        },
      ]);
      const { exitCode, output } = resultOf(outputs, 'interrupt');
      assert.equal(resultOf(outputs, 'wait').output + output, `${bench.mark}\n`);
      assert.equal(exitCode, 130);
    });
  });
}
