import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { version } from '../../../package.json';
import { socketPlaces } from '../../../src/machine/index.js';
import { asRoot, describeOnLinux, describeOnPosix } from '../../support/onLinux.js';
import { OWN_MOUNTS } from '../../support/ownMounts.js';
import { builtFiles, useMachine } from './machineFixture.js';

/** Gives a program a `/run` of its own, with the folder of its login. */
const OWN_RUN = 'mount -t tmpfs none /run && mkdir -p "$1" && chmod 700 "$1" && shift && exec "$@"';

/** Ends the server: the other process with the mounts of this program. No other program knows where its socket is. */
const END_OTHERS = `
  const fs = require('node:fs');
  const mountsOf = (pid) => { try { return fs.readlinkSync('/proc/' + pid + '/ns/mnt'); } catch { return ''; } };
  const others = () => fs.readdirSync('/proc').filter((name) =>
    /^\\d+$/.test(name) && Number(name) !== process.pid && mountsOf(name) === mountsOf('self'));
  const endOthers = async () => {
    for (const pid of others()) { try { process.kill(Number(pid)); } catch { /* It has gone. */ } }
    while (others().length > 0) { await new Promise((next) => setTimeout(next, 20)); }
  };`;

describeOnLinux('A session server in the folder of a login', () => {
  const fixture = useMachine();

  it('is found by a program with other variables, or with an XDG_RUNTIME_DIR that names no folder', async () => {
    // A user other than root is root in the namespace.
    const login = '/run/user/0';
    const program = `
      const { connectMachine, findServers } = require(${JSON.stringify(path.join(builtFiles, 'machine.js'))});
      const clock = {
        now: () => performance.now(),
        wallTime: () => Date.now(),
        after: (ms, then) => { const timer = setTimeout(then, ms); return { dispose: () => clearTimeout(timer) }; },
      };
      ${END_OTHERS}
      const without = { PATH: process.env.PATH, HOME: '/none', TMPDIR: '/none' };
      const options = { version: ${JSON.stringify(version)}, files: ${JSON.stringify(builtFiles)}, clock, log: () => {} };
      connectMachine({ ...options, env: process.env, start: true }).then(async (first) => {
        const found = await findServers(without);
        const second = await connectMachine({ ...options, env: without, start: false });
        const others = await Promise.all(['', 'run'].map((XDG_RUNTIME_DIR) => findServers({ ...without, XDG_RUNTIME_DIR })));
        console.log(JSON.stringify([first.socket, second?.socket, found.length, ...others.map((them) => them.length)]));
        first.disconnect();
        second?.disconnect();
        await endOthers();
        process.exit();
      });`;
    const argv = [...OWN_MOUNTS, 'sh', '-c', OWN_RUN, 'sh', login, process.execPath, '-e', program] as const;
    const [file, ...args] = argv;
    const { stdout } = await promisify(execFile)(file, args, {
      env: { ...fixture.env, XDG_RUNTIME_DIR: login },
    });
    const [first, second, ...found] = JSON.parse(stdout) as readonly unknown[];
    assert.match(String(first), /^\/run\/user\/0\/exec-sessions\/sessions-/);
    assert.deepEqual([second, found], [first, [1, 1, 1]]);
  });
});

describeOnPosix('The place of a session server', () => {
  let folder = '';
  beforeEach(() => (folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-p-')))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));
  const placesFor = (XDG_RUNTIME_DIR: string, home: string | null = '/home/me') =>
    socketPlaces(
      { XDG_RUNTIME_DIR, HOME: '/other', TMPDIR: '/other' },
      { login: path.join(folder, 'user/7'), home: home ?? undefined, temporary: '/tmp/exec-sessions-7' },
    );
  const make = (name: string) => {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    return path.join(folder, name);
  };
  const others = ['/home/me/.exec-sessions', '/tmp/exec-sessions-7'];

  it('is at home, or among temporary files without one, where nobody logs in', () => {
    assert.deepEqual(placesFor(''), { folders: others, why: 'the home of your user' });
    assert.deepEqual(placesFor('', null), {
      folders: ['/tmp/exec-sessions-7'],
      why: 'you have no home',
    });
  });

  it('is in the folder of a login, be it named or not', () => {
    const login = make('user/7');
    for (const named of ['', 'user/7', login, path.join(login, 'snap.code'), path.join(folder, 'user/8')]) {
      const { folders, why } = placesFor(named);
      assert.deepEqual(folders, [path.join(login, 'exec-sessions'), ...others]);
      assert.equal(why, 'the folder of your login');
    }
  });

  it('is only in another folder that XDG_RUNTIME_DIR names', () => {
    make('user/7');
    const named = make('named');
    assert.deepEqual(placesFor(named), {
      folders: [path.join(named, 'exec-sessions')],
      why: 'XDG_RUNTIME_DIR names it',
    });
  });

  it('is not in a folder that does not exist', () => {
    assert.deepEqual(placesFor(path.join(folder, 'none')).folders, others);
  });

  asRoot('is not in the folder of another user, which su and sudo leave in a variable', () => {
    const named = make('named');
    fs.chownSync(named, 12_345, 12_345);
    assert.deepEqual(placesFor(named).folders, others);
  });
});
