import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { temporaryFolder } from '../rig/lifetime.js';
import { applyPatch, exec, outputOf, resultOf } from './calls.js';
import { interopServers, useServer } from './servers.js';

for (const kind of interopServers.filter(({ sandbox }) => sandbox !== 'danger-full-access')) {
  describe(`${kind.name}: the sandbox of the real client`, () => {
    const bench = useServer(kind);
    const writes = kind.sandbox === 'workspace-write';
    let outside = '';
    let remove: (() => Promise<void>) | undefined;
    beforeEach(() => {
      // In workspace-write, /tmp may be written.
      outside = fs.mkdtempSync('/var/tmp/es-outside-');
      remove = temporaryFolder(outside);
      fs.chmodSync(outside, 0o777);
    });
    afterEach(() => remove?.());

    it('lets commands write where the mode says so, and nowhere else', async () => {
      const files = {
        inside: 'inside.txt',
        deeper: 'a/b/deeper.txt',
        temporary: '"$TMPDIR/temporary.txt"',
        protected: '.git/config',
        outside: path.join(outside, 'file.txt'),
        parent: '/inside.txt',
      };
      const script = Object.entries(files)
        .map(([name, file]) => `(mkdir -p "$(dirname ${file})" && : >${file}) 2>/dev/null && echo ${name}`)
        .join('; ');
      const { outputs } = await bench.run([
        [exec('write', `${script}; true`), exec('read', `cat /etc/passwd >/dev/null && echo read`)],
      ]);
      assert.equal(resultOf(outputs, 'write').output, writes ? 'inside\ndeeper\ntemporary\n' : '');
      assert.equal(resultOf(outputs, 'read').output, 'read\n');
      assert.deepEqual(fs.readdirSync(outside), []);
      // The places for the mounts of protected folders go after the end of the command. The real server leaves some of
      // them where two commands end at once.
      if (kind.ours === true) {
        const left = writes ? 'a inside.txt' : '';
        await bench.until(() => fs.readdirSync(bench.folder).sort().join(' ') === left);
      }
    });

    it('lets no command reach the server, and no patch write outside', async () => {
      const { port } = bench.server;
      const { outputs } = await bench.run([
        [
          exec('connect', `exec 3<>/dev/tcp/127.0.0.1/${port}`),
          applyPatch('patch', `*** Add File: ${outside}/file.txt`, '+line'),
        ],
      ]);
      const { exitCode, output } = resultOf(outputs, 'connect');
      assert.notEqual(exitCode, 0);
      assert.match(output, /Operation not permitted/);
      assert.doesNotMatch(outputOf(outputs, 'patch').text, /Success/);
      assert.deepEqual(fs.readdirSync(outside), []);
    });
  });
}
