import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { serviceIn } from '../../../src/machine/controlGroups.js';
import { findNode, inOwnScope } from '../../../src/machine/serverLauncher.js';
import { describeOnPosix } from '../../support/onLinux.js';

describe('A scope for a server', () => {
  const scoped = (groups: string, lingers = false) =>
    inOwnScope(['node', 'x'], groups, () => lingers) !== undefined;

  it('is used in a service, of the user or of the machine', () => {
    assert.ok(scoped('0::/user.slice/user-1000.slice/user@1000.service/app.slice/code-server.service\n'));
    assert.ok(scoped('0::/system.slice/code-server@me.service\n'));
    assert.ok(scoped('12:memory:/x\n1:name=systemd:/system.slice/ssh.service/sub\n'));
  });

  it('is not used in a scope, which does not end with a program, or without systemd', () => {
    assert.ok(!scoped('0::/user.slice/user-1000.slice/session-2.scope\n'));
    assert.ok(!scoped('0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-code-7.scope\n'));
    assert.ok(!scoped('12:memory:/system.slice/docker.service\n0::/\n'));
    assert.ok(!scoped(''));
  });

  it('is used in a login whose user lingers, as it would end with the last login of others', () => {
    const login = '0::/user.slice/user-1000.slice/session-2.scope\n';
    assert.ok(scoped(login, true));
    assert.ok(!scoped(login, false));
    assert.ok(!scoped('0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope\n', true));
  });

  it('keeps a server out of a service, and a server in a service names it', () => {
    const manager = '0::/user.slice/user-1000.slice/user@1000.service';
    assert.equal(serviceIn(`${manager}/app.slice/run-r1.scope\n`), undefined);
    assert.equal(
      serviceIn('3:cpu:/x.service\n0::/system.slice/code-server@me.service\n'),
      'code-server@me.service',
    );
  });
});

describeOnPosix('The Node for a server under VS Code’s desktop', () => {
  let folder = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-node-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));
  const place = (name: string, version: string) => {
    const bin = path.join(folder, name);
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'node'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return bin;
  };

  it('is the first on the PATH that is new enough', async () => {
    const PATH = [
      path.join(folder, 'none'),
      place('old', 'v18.20.1'),
      place('new', 'v20.1.0'),
      place('b', 'v24.0.0'),
    ];
    assert.equal(await findNode({ PATH: PATH.join(':') }), path.join(folder, 'new/node'));
  });

  it('is not taken from a relative folder, and is not another program', async () => {
    const PATH = ['.', place('odd', 'hello'), path.relative(process.cwd(), place('near', 'v24.0.0'))];
    assert.equal(await findNode({ PATH: PATH.join(':') }), undefined);
  });
});
