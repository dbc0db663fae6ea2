import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { version } from '../../../package.json';
import { defaultFolder, findServers } from '../../../src/machine/index.js';
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

  it('is found by a program without XDG_RUNTIME_DIR, or with one that names no folder', async () => {
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
      const { XDG_RUNTIME_DIR, ...without } = process.env;
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

describeOnPosix('Behind su and sudo, which leave variables of another user, a session server', () => {
  const fixture = useMachine();
  const next = () => path.join(fixture.folder, `tmp/exec-sessions-${process.getuid?.() ?? ''}`);

  asRoot('is not in the folder of the login of that user, nor is anything made there', async () => {
    const login = path.join(fixture.folder, 'run');
    fs.chownSync(login, 12_345, 12_345);
    const machine = await fixture.connect();
    assert.equal(path.dirname(machine?.socket ?? ''), next());
    assert.deepEqual(fs.readdirSync(login), []);
    assert.equal(machine?.isAtBestPlace, true);
  });

  it('is found at the other places where one of them may not even be looked at', async () => {
    const machine = await fixture.connect();
    // Fails for everybody, as the folder of another user does for all but root.
    const TMPDIR = path.join('/', 'x'.repeat(300));
    const found = await findServers({ ...fixture.env, TMPDIR });
    assert.deepEqual(
      found.map(({ socket }) => socket),
      [machine?.socket],
    );
  });

  it('lives at home when a bridge starts it and the folder for temporary files cannot be read', () => {
    const usual = path.join('/', 'x'.repeat(300), path.basename(next()));
    const lines: string[] = [];
    const env = { HOME: fixture.folder, TMPDIR: path.dirname(usual) };
    const home = path.join(fixture.folder, '.exec-sessions');
    assert.equal(
      defaultFolder(env, (line) => lines.push(line)),
      home,
    );
    assert.deepEqual(lines, [`${usual} may not be looked at, so ${home} is used in its place.`]);
  });
});
