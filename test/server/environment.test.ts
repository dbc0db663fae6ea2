import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { pathFromUri } from '../../src/protocol/index.js';
import { environmentInfo, environmentMethods } from '../../src/server/methods/environment.js';
import { findUserShell } from '../../src/local/child/userShell.js';
import { useServer } from './inProcess.js';

describe('The environment of our server', () => {
  const server = useServer({ methods: environmentMethods });
  const environment = { hostEnv: { TMPDIR: '/var/tmp', SHELL: '/bin/sh' }, cwd: '/usr/lib' };

  it('is ready', async () => {
    const client = await server.client();
    assert.deepEqual(await client.request('environment/status', null), { status: 'ready' });
    assert.deepEqual(await client.request('environment/status'), { status: 'ready' });
  });

  it('is told with the handshake and again', async () => {
    const client = await server.client();
    const info = environmentInfo({ ...environment, cwd: '/' });
    const answer = await client.request('environment/info', {});
    assert.deepEqual({ ...answer, temporaryDirectories: info.temporaryDirectories }, info);
  });

  it('is that of this machine', () => {
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string };
    const info = environmentInfo(environment);
    assert.equal(info.executorVersion, version);
    assert.equal(info.cwd, 'file:///usr/lib');
    assert.ok(fs.statSync(pathFromUri(info.userHomeDir ?? '')).isDirectory());
    assert.ok(fs.statSync(pathFromUri(info.tempDir ?? '')).isDirectory());
    assert.deepEqual(info.capabilities, { httpHeaderEnvVars: true, fileWriteStreaming: true });
    assert.match(info.providerId ?? '', /^sha256:[0-9a-f]{64}$/);
    assert.equal(info.providerId, environmentInfo({ hostEnv: {}, cwd: '/' }).providerId);
    if (process.platform !== 'win32') assert.deepEqual(info.temporaryDirectories, ['file:///var/tmp']);
  });

  it('leaves out invalid settings', () => {
    const info = environmentInfo({ hostEnv: { TMPDIR: 'relative', TEMP: '' }, cwd: '/' });
    assert.deepEqual(info.temporaryDirectories, []);
  });

  it('has a shell that is there and that clients know', () => {
    for (const hostEnv of [{}, { SHELL: '/usr/bin/fish' }, { SHELL: '/missing/bash' }, { SHELL: 'bash' }]) {
      const shell = findUserShell(hostEnv);
      assert.ok(['bash', 'zsh', 'sh', 'powershell', 'cmd'].includes(shell.name));
      assert.ok(path.isAbsolute(shell.path) && fs.existsSync(shell.path), shell.path);
    }
  });
});
