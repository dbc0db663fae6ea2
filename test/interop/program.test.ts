import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { asUser, giveTo } from '../support/otherUser.js';
import { makeServerHome } from '../support/execServer.js';
import { applyPatch, exec, execInBackground, resultOf, sessionOf, typeInto } from './calls.js';
import { interopServers } from './servers.js';
import { useWorkspace, Workspace } from './workspace.js';

for (const kind of interopServers) {
  describe(`${kind.name}: a program that the real client starts and speaks to through stdin and stdout`, () => {
    const workspace = useWorkspace(new Workspace(kind));
    const writes = kind.sandbox !== 'read-only';

    it(`runs commands and terminals${writes ? ', writes files' : ''}, and goes with the client`, async () => {
      const home = makeServerHome();
      const stdio = await kind.stdio(kind.uid);
      if (kind.uid !== undefined) giveTo(kind.uid, home.folder);
      const [program, ...args] = kind.uid === undefined ? stdio : asUser(kind.uid, stdio);
      const mark = `mark-${randomUUID()}`;
      // It would inherit the client's home, which another user cannot enter.
      const env = { ...home.env, CODEX_HOME: home.home, MARK: mark };
      const environment = { program, args, env, cwd: home.folder };
      const { outputs } = await workspace.runIn(environment, [
        [
          exec('plain', 'echo "$MARK"; exit 3'),
          ...(writes ? [applyPatch('patch', '*** Add File: new/file.txt', '+one line')] : []),
          execInBackground('cat', `echo "$MARK"; ${workspace.tell('ready')}; cat; exit 4`, { tty: true }),
        ],
        async (seen) => {
          await workspace.untilThere('ready');
          if (writes) assert.equal(workspace.textOf('new/file.txt'), 'one line\n');
          return [typeInto(sessionOf(seen, 'cat'), 'line', 'typed\n', 250)];
        },
        (seen) => [typeInto(sessionOf(seen, 'cat'), 'end', '\u0004')],
      ]);
      const { exitCode, output } = resultOf(outputs, 'plain');
      assert.deepEqual([output, exitCode], [`${mark}\n`, 3]);
      const all = ['cat', 'line', 'end'].map((id) => resultOf(outputs, id).output).join('');
      assert.deepEqual(all.split(/\r?\n/), [mark, 'typed', 'typed', '']);
      assert.equal(resultOf(outputs, 'end').exitCode, 4);
      await workspace.untilGone(`MARK=${mark}`);
      await home.remove();
    });
  });
}
