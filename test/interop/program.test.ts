import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { isRunning } from '../support/processes.js';
import { makeServerHome } from '../support/execServer.js';
import { applyPatch, exec, execInBackground, resultOf, sessionOf, typeInto } from './calls.js';
import { interopServers } from './servers.js';
import { useWorkspace } from './workspace.js';

for (const kind of interopServers) {
  describe(`${kind.name}: a program that the real client starts and speaks to through stdin and stdout`, () => {
    const workspace = useWorkspace();

    it('runs commands and terminals, writes files, and goes with the client', async () => {
      const [program, ...args] = await kind.stdio();
      const home = makeServerHome();
      const mark = `mark-${randomUUID()}`;
      const environment = { program, args, env: { ...home.env, MARK: mark }, cwd: home.folder };
      const { outputs } = await workspace.runIn(environment, [
        [
          exec('plain', 'echo "$MARK"; echo $PPID; exit 3'),
          applyPatch('patch', '*** Add File: new/file.txt', '+one line'),
          execInBackground('cat', 'echo "$MARK"; touch ready; cat; exit 4', { tty: true }),
        ],
        async (seen) => {
          await workspace.untilThere('ready');
          assert.equal(workspace.textOf('new/file.txt'), 'one line\n');
          return [typeInto(sessionOf(seen, 'cat'), 'line', 'typed\n', 250)];
        },
        (seen) => [typeInto(sessionOf(seen, 'cat'), 'end', '\u0004')],
      ]);
      const { exitCode, output } = resultOf(outputs, 'plain');
      const [first, parent] = output.split('\n');
      assert.deepEqual([first, exitCode], [mark, 3]);
      const all = ['cat', 'line', 'end'].map((id) => resultOf(outputs, id).output).join('');
      assert.deepEqual(all.split(/\r?\n/), [mark, 'typed', 'typed', '']);
      assert.equal(resultOf(outputs, 'end').exitCode, 4);
      await workspace.until(async () => !(await isRunning(Number(parent))));
      await home.remove();
    });
  });
}
