import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { readServerFiles, serverFolderName } from '../../src/machine/index.js';
import { findOnPath } from '../rig/programs.js';
import { type Sshd, startSshd } from '../rig/sshd.js';
import { collectEvents } from '../support/collect.js';
import { DIST, EmptyAccount, VERSION } from '../support/emptyAccount.js';
import { INHERITING } from '../support/envPolicy.js';
import { describeOnLinux } from '../support/onLinux.js';
import { endSessionServersIn, sessionServersOf } from '../support/sessionServers.js';
import { params } from '../support/startParams.js';

const FOLDER = serverFolderName(VERSION, readServerFiles(DIST));

describeOnLinux('A server that installs itself', () => {
  let account: EmptyAccount;
  beforeEach(() => {
    account = new EmptyAccount();
  });
  afterEach(() => account.remove());

  it('gives an empty account a session server, and sends nothing the second time', async () => {
    const backend = await account.connect();
    assert.deepEqual(account.steps, ['look', 'sendServer', 'start']);
    const process = await backend.start(
      params({
        argv: ['/bin/sh', '-c', 'echo $HOME; exit 3'],
        cwd: account.home,
        env: {},
        envPolicy: INHERITING,
      }),
    );
    const { exit, stdout } = await collectEvents(process);
    assert.equal(stdout, `${account.home}\n`);
    assert.equal(exit?.exitCode, 3);
    assert.deepEqual(account.entries(), [FOLDER]);
    assert.equal(readServerFiles(path.join(account.copies, FOLDER)).digest, readServerFiles(DIST).digest);
    assert.equal(fs.statSync(account.copies).mode & 0o777, 0o700);
    assert.equal(fs.statSync(path.join(account.copies, FOLDER)).mode & 0o777, 0o700);

    const again = await account.connect();
    assert.deepEqual(account.steps, ['look', 'start']);
    assert.equal((await again.list()).length, (await backend.list()).length);
    assert.equal(sessionServersOf(account.run).length, 1);
  });

  describe('through the login shell', () => {
    for (const shell of ['bash', 'dash', 'fish', 'ksh', 'mksh', 'tcsh', 'zsh', 'busybox']) {
      it(shell, async () => {
        const program = findOnPath([shell]) ?? shell;
        await account.connect(account.argv([program, ...(shell === 'busybox' ? ['sh'] : []), '-c']));
        assert.deepEqual(account.entries(), [FOLDER]);
      });
    }
  });

  it('needs no other tools than those of busybox', async () => {
    const busybox = findOnPath(['busybox']) ?? 'busybox';
    for (const name of fs.readdirSync(account.programs).filter((entry) => entry !== 'node')) {
      fs.rmSync(path.join(account.programs, name));
      if (name !== 'getconf') fs.symlinkSync(busybox, path.join(account.programs, name));
    }
    await account.connect();
    assert.deepEqual(account.entries(), [FOLDER]);
  });

  it('comes through the noise of a login, a megabyte without the end of a line too', async () => {
    const noise =
      'printf "Welcome\\n\\nEXEC-SESSIONS ready\\n"; /usr/bin/head -c 1000000 /dev/zero; exec sh -c "$1"';
    await account.connect(account.argv(['/bin/sh', '-c', noise, 'sh']));
    assert.deepEqual(account.entries(), [FOLDER]);
  });

  it('is there once after three installations at once', async () => {
    await Promise.all([account.connect(), account.connect(), account.connect()]);
    assert.deepEqual(account.entries(), [FOLDER]);
    assert.equal(sessionServersOf(account.run).length, 1);
    assert.equal(readServerFiles(path.join(account.copies, FOLDER)).digest, readServerFiles(DIST).digest);
  });

  it('replaces half a folder, and one that others can write into, and runs nothing of them', async () => {
    const folder = path.join(account.copies, FOLDER);
    const evil = path.join(account.home, 'evil');
    const spoil: readonly (() => void)[] = [
      () => fs.rmSync(path.join(folder, 'serve.js')),
      () => fs.writeFileSync(path.join(folder, 'serve.js'), `require('fs').writeFileSync('${evil}', '')`),
      () => fs.writeFileSync(path.join(folder, 'more.js'), ''),
      () => fs.chmodSync(folder, 0o777),
      () => {
        fs.renameSync(folder, path.join(account.folder, 'elsewhere'));
        fs.symlinkSync(path.join(account.folder, 'elsewhere'), folder);
      },
    ];
    await account.connect();
    for (const change of spoil) {
      await account.endServers();
      change();
      await account.connect();
      assert.deepEqual(account.steps, ['look', 'sendServer', 'start'], String(change));
      assert.deepEqual(account.entries(), [FOLDER]);
      assert.equal(fs.lstatSync(folder).mode & 0o777, 0o700);
      assert.equal(readServerFiles(folder).digest, readServerFiles(DIST).digest);
    }
    assert.equal(fs.existsSync(evil), false);
  });

  it('removes what a killed installation has left, and nothing of one that goes on', async () => {
    const sleeper = spawn('sleep', ['1000']);
    const ended = spawn('true');
    await once(ended, 'exit');
    const name = (pid: number | undefined) => `.new.${os.hostname()}.${pid}`;
    for (const left of [name(ended.pid), `${name(ended.pid)}.old`, name(sleeper.pid)]) {
      fs.mkdirSync(path.join(account.copies, left), { recursive: true, mode: 0o700 });
    }
    fs.chmodSync(account.copies, 0o700);
    await account.connect();
    assert.deepEqual(account.entries(), [name(sleeper.pid), FOLDER]);
    sleeper.kill();
  });

  it('works with the Node of a VS Code server there, and not with one that does not run', async () => {
    const servers = path.join(account.home, '.vscode-server/cli/servers');
    const put = (name: string, target: string) => {
      fs.mkdirSync(path.join(servers, name, 'server'), { recursive: true });
      fs.symlinkSync(target, path.join(servers, name, 'server/node'));
    };
    fs.rmSync(path.join(account.programs, 'node'));
    put('Stable-1', '/bin/false');
    put('Stable-2', process.execPath);
    await account.connect();
    assert.deepEqual(account.entries(), [FOLDER]);
  });
});

describeOnLinux('A server that installs itself over ssh', () => {
  let sshd: Sshd;
  const account = new EmptyAccount();
  before(async () => {
    sshd = await startSshd();
  });
  after(async () => {
    await endSessionServersIn(path.dirname(sshd.home));
    await account.remove();
    await sshd.stop();
  });

  it('runs without the variables of the connection, and with the umask of the account', async () => {
    const backend = await account.connect(sshd.argv());
    const [pid, ...others] = sessionServersOf(path.dirname(sshd.home));
    assert.deepEqual(others, []);
    const names = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    assert.deepEqual(
      names.filter((name) => name.startsWith('SSH_')),
      [],
    );
    const [ssh = '', ...words] = sshd.argv('umask');
    const inside = await backend.start(params({ argv: ['/bin/sh', '-c', 'umask'], env: {} }));
    assert.equal((await collectEvents(inside)).stdout, execFileSync(ssh, words, { encoding: 'utf8' }));
  });
});
