import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { isExecError } from '../../src/core/index.js';
import { removeServer } from '../../src/engines/index.js';
import { builtFiles, useMachine } from '../server/machine/machineFixture.js';
import { runLine } from '../cli/cliFixture.js';
import { describeOnLinux } from '../support/onLinux.js';
import { params } from '../support/startParams.js';

describeOnLinux('Remove Server', () => {
  // Another account is a folder here: its servers and their copies are where an installation puts them too.
  const account = useMachine();
  const argv = () => [
    'env',
    '-i',
    ...Object.entries(account.env).map(([name, value]) => `${name}=${value}`),
    ...['sh', '-c'],
  ];
  const remove = (force = false, way: readonly string[] = argv()) =>
    removeServer({
      reached: { kind: 'shell', argv: way },
      files: builtFiles,
      version: '0.1.0',
      force,
      signal: new AbortController().signal,
    });
  const inCache = (...names: string[]) => path.join(account.folder, 'home/.cache/exec-sessions', ...names);
  const ours = () =>
    fs
      .readdirSync(account.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('exec-sessions'));
  const startOne = async () => {
    const machine = await account.connect();
    await machine?.backend.start(params({ argv: ['sleep', '100'], owned: true }));
  };

  it('leaves nothing there, and says so the next time', async () => {
    await account.connect();
    assert.deepEqual(await remove(), { kind: 'removed' });
    assert.deepEqual(ours(), []);
    assert.deepEqual(await account.servers(), []);
    assert.deepEqual(await remove(), { kind: 'nothing' });
    assert.deepEqual(ours(), []);
  });

  it('leaves sessions alone that run, unless it is forced', async () => {
    await startOne();
    assert.deepEqual(await remove(), { kind: 'running', sessions: 1 });
    assert.equal((await account.servers()).length, 1);
    assert.deepEqual(await remove(true), { kind: 'removed' });
    assert.deepEqual(await account.servers(), []);
  });

  it('removes the server of an older version', async () => {
    await account.connect();
    const [name = ''] = fs.readdirSync(inCache());
    fs.renameSync(inCache(name), inCache('server-0.0.9-older'));
    assert.deepEqual(await remove(), { kind: 'removed' });
    assert.deepEqual(ours(), []);
  });

  it('runs nothing that others could have put there', async () => {
    const proof = path.join(account.folder, 'proof');
    const program = `require('fs').writeFileSync(${JSON.stringify(proof)}, ''); console.log('removed')`;
    fs.mkdirSync(inCache(), { recursive: true, mode: 0o700 });
    for (const [name, mode] of [
      ['server-1-open', 0o755],
      ['elsewhere', 0o700],
    ] as const) {
      fs.mkdirSync(inCache(name));
      fs.writeFileSync(inCache(name, 'exec-server.js'), program);
      fs.chmodSync(inCache(name), mode);
    }
    fs.symlinkSync(inCache('elsewhere'), inCache('server-2-link'));
    assert.deepEqual(await remove(), { kind: 'nothing' });
    assert.ok(!fs.existsSync(proof));
  });

  it('believes no answer but its own', async () => {
    const liar = 'm=$(printf %s "$1" | grep -o "EXEC-SESSIONS-[0-9a-f]*" | head -n1); echo "$m running 1e99"';
    await assert.rejects(remove(false, ['sh', '-c', liar, 'x']), (error: unknown) => {
      assert.ok(isExecError(error));
      assert.equal(error.failure.kind, 'removeFailed');
      assert.match(error.message, /an answer that makes no sense: running 1e99\.$/);
      return true;
    });
  });

  it('says why it cannot be done', async () => {
    await account.connect();
    const [name = ''] = fs.readdirSync(inCache());
    fs.writeFileSync(inCache(name, 'exec-server.js'), "console.error('no such luck'); process.exit(1)");
    await assert.rejects(remove(), /cannot be removed from .*: no such luck\.$/);
  });

  it('is a command too', async () => {
    await startOne();
    const line = (more = '') =>
      runLine(account, `exec-sessions server remove --on '${argv().join(' ')}'${more}`);
    const refused = await line();
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /One session runs on env .* and would end\. Stop them first, or add --force\./,
    );
    const removed = await line(' --force');
    assert.match(removed.stderr, /^The server has been removed from env /);
    assert.equal(removed.code, 0);
    assert.match((await line()).stderr, /^No server is on env /);
    const address = await runLine(account, 'exec-sessions server remove --on ws://127.0.0.1:1');
    assert.equal(address.code, 1);
    assert.match(address.stderr, /Only from a machine on which it was installed/);
  });
});
