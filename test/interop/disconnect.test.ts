import assert from 'node:assert/strict';

import { exec, execInBackground, poll, resultOf } from './calls.js';
import type { Outputs } from './modelServer.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: a lost connection of the real client`, () => {
    const bench = useServer(kind);
    const waitFor = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;

    /**
     * Runs a command, and waits for its end in a second call, once the client has certainly got the answer to the
     * start. A start that is lost on the way is not repeated, and has failed.
     */
    const runInTwo = (command: string) => {
      let began: () => void;
      const begun = new Promise<void>((resolve) => {
        began = resolve;
      });
      const run = bench.run([
        [execInBackground('command', command)],
        (outputs) => {
          began();
          return [poll(resultOf(outputs, 'command').sessionId ?? assert.fail('It has ended.'), 'rest')];
        },
      ]);
      return { run, begun };
    };
    const wholeOf = (outputs: Outputs) => {
      const rest = resultOf(outputs, 'rest');
      return { exitCode: rest.exitCode, output: resultOf(outputs, 'command').output + rest.output };
    };

    it('is renewed while nothing runs', async () => {
      const cable = await bench.openCable();
      const { outputs } = await bench.run([
        [exec('before', 'echo "$MARK"')],
        () => {
          cable.cut();
          return [exec('after', 'echo "$MARK"; exit 2')];
        },
      ]);
      assert.equal(resultOf(outputs, 'before').output, `${bench.mark}\n`);
      assert.deepEqual(resultOf(outputs, 'after'), {
        exitCode: 2,
        sessionId: undefined,
        output: `${bench.mark}\n`,
      });
      assert.ok(cable.opened > 1);
    });

    it('loses neither output nor exit code of a running command', async () => {
      const cable = await bench.openCable();
      const command = `echo "$MARK"; ${bench.tell('running')}; ${waitFor('cut')}; seq 5000; ${bench.tell('printed')}; ${waitFor('back')}; echo the end; exit 7`;
      const { run, begun } = runInTwo(command);
      const faults = async () => {
        await begun;
        await bench.untilThere('running');
        // The command prints while the client is away, and again when it is back.
        cable.refuse();
        cable.cut();
        bench.put('cut');
        await bench.untilThere('printed');
        await cable.accept();
        await bench.until(() => cable.opened > 1);
        bench.put('back');
      };
      const [{ outputs }] = await Promise.all([run, faults()]);
      const numbers = Array.from({ length: 5_000 }, (_, index) => `${index + 1}\n`).join('');
      assert.deepEqual(wholeOf(outputs), { exitCode: 7, output: `${bench.mark}\n${numbers}the end\n` });
    });

    it('loses neither output nor exit code of a command that ends meanwhile', async () => {
      const cable = await bench.openCable();
      const command = `echo "$MARK"; ${bench.tell('running')}; ${waitFor('cut')}; echo the end; exit 7`;
      const { run, begun } = runInTwo(command);
      const faults = async () => {
        await begun;
        await bench.untilThere('running');
        cable.refuse();
        cable.cut();
        bench.put('cut');
        await bench.untilGone('CODEX_CI=1', `MARK=${bench.mark}`);
        await cable.accept();
      };
      const [{ outputs }] = await Promise.all([run, faults()]);
      assert.deepEqual(wholeOf(outputs), { exitCode: 7, output: `${bench.mark}\nthe end\n` });
    });

    it('loses nothing of large output, even when the replay is cut as well', async () => {
      const cable = await bench.openCable();
      const faults = async () => {
        await cable.cutAfter(300_000, 'toClient');
        await cable.cutAfter(300_000, 'toClient');
      };
      // The output is smaller than what a server retains, so that lost parts can be read again.
      const command = 'echo "$MARK"; seq 100000 199999; echo the end';
      const run = bench.run([[exec('command', command, { max_output_tokens: 200 })]]);
      const [{ outputs }] = await Promise.all([run, faults()]);
      const { output, exitCode } = resultOf(outputs, 'command');
      // The client keeps the beginning and the end of the output, and counts the rest. It counts four bytes as a token.
      const total = `${bench.mark}\nthe end\n`.length + 7 * 100_000;
      assert.match(output, new RegExp(`original token count: ${Math.ceil(total / 4)}\\)`));
      assert.match(output, new RegExp(`${bench.mark}\\n100000\\n100001\\n`));
      assert.match(output, /199998\n199999\nthe end\n/);
      assert.equal(exitCode, 0);
    });
  });
}
