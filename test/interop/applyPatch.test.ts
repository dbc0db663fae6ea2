import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { applyPatch, exec, outputOf, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers) {
  describe(`${kind.name}: patches of the real client`, () => {
    // The umask shows in the modes of new files, and so which program made them.
    const bench = useServer(kind, { umask: '027' });
    const modeOf = (name: string): number => fs.statSync(path.join(bench.folder, name)).mode & 0o777;

    if (kind.sandbox === 'read-only') {
      it('are refused by the client, which asks the server for nothing', async () => {
        const { outputs } = await bench.run([[applyPatch('add', '*** Add File: file.txt', '+line')]]);
        assert.match(outputOf(outputs, 'add').text, /writing is blocked by read-only sandbox/);
      });
    } else {
      it('add files in folders that are not there, and commands see them', async () => {
        const { outputs } = await bench.run([
          [applyPatch('add', '*** Add File: a/new folder/file.txt', '+ünïcödé 😀', '+second line')],
          [exec('look', 'echo "$MARK"; cat "a/new folder/file.txt"')],
        ]);
        assert.match(outputOf(outputs, 'add').text, /Success/);
        assert.equal(resultOf(outputs, 'look').output, `${bench.mark}\nünïcödé 😀\nsecond line\n`);
        assert.deepEqual([modeOf('a/new folder/file.txt'), modeOf('a/new folder')], [0o640, 0o750]);
      });

      it('update, delete and move files', async () => {
        bench.put('update.txt', 'one\ntwo\nthree\n');
        bench.put('delete.txt', 'gone\n');
        bench.put('move.txt', 'here\n');
        fs.chmodSync(path.join(bench.folder, 'update.txt'), 0o755);
        const { outputs } = await bench.run([
          [
            applyPatch(
              'patch',
              '*** Update File: update.txt',
              '@@',
              ' one',
              '-two',
              '+2',
              ' three',
              '*** Delete File: delete.txt',
              '*** Update File: move.txt',
              '*** Move to: moved/there.txt',
              '@@',
              '-here',
              '+there',
            ),
          ],
        ]);
        assert.match(outputOf(outputs, 'patch').text, /Success/);
        const files = fs.readdirSync(bench.folder, { recursive: true }).sort();
        assert.deepEqual(files, ['moved', 'moved/there.txt', 'update.txt']);
        assert.equal(bench.textOf('update.txt'), 'one\n2\nthree\n');
        assert.equal(bench.textOf('moved/there.txt'), 'there\n');
        assert.deepEqual([modeOf('update.txt'), modeOf('moved/there.txt')], [0o755, 0o640]);
      });
    }

    it('that do not fit change nothing', async () => {
      bench.put('file.txt', 'one\n');
      const { outputs } = await bench.run([
        [
          applyPatch('misfit', '*** Update File: file.txt', '@@', '-two', '+2'),
          applyPatch('missing', '*** Update File: missing.txt', '@@', '-two', '+2'),
        ],
      ]);
      assert.match(outputOf(outputs, 'misfit').text, /Failed to find expected lines/);
      assert.match(outputOf(outputs, 'missing').text, /No such file or directory/);
      assert.equal(bench.textOf('file.txt'), 'one\n');
    });
  });
}
