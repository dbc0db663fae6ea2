import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Sighting } from '../../src/core/index.js';
import { Sightings } from '../../src/local/sightings/sightings.js';
import { removeFolder } from '../rig/lifetime.js';
import { freePort } from '../support/freePort.js';
import { killIfThere } from '../support/killIfThere.js';
import { describeOnLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';

const CONVERSATION = 'a1b2c3d4';
const SERVER = `node -e 'require("net").createServer().listen(+process.argv[1], "127.0.0.1")'`;

describeOnLinux('A look at what agents start', () => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'es-seen-')));
  const sightings = new Sightings();
  let started: readonly number[] = [];
  afterEach(() => started.forEach((pid) => killIfThere(-pid)));
  after(() => removeFolder(folder));

  /** Starts a shell under the name of an agent. This program may be below an agent itself. */
  const agent = (name: string, script: string): number => {
    const { PATH = '' } = process.env;
    const child = spawn('bash', ['-c', `${script}; wait; true`], {
      ...{ argv0: `/opt/${name}`, cwd: folder, detached: true, stdio: 'ignore' },
      env: { PATH, CLAUDE_CODE_SESSION_ID: CONVERSATION },
    });
    const pid = child.pid ?? assert.fail('not started');
    started = [...started, pid];
    return pid;
  };
  const rows = async (source = sightings): Promise<readonly Sighting[]> =>
    (await source.look()).filter(({ cwd }) => cwd === folder);
  const rowOnce = async (wanted: (row: Sighting) => boolean, source = sightings): Promise<Sighting> => {
    let found: Sighting | undefined;
    await until(async () => (found = (await rows(source)).find(wanted)));
    return found ?? assert.fail();
  };

  it('has the owner, folder and port of a command, also after the agent was killed @all', async () => {
    const port = await freePort();
    const pid = agent('claude', `setsid ${SERVER} ${port} & cat < <(sleep 1000)`);
    const server = await rowOnce(({ kind, ports }) => kind === 'command' && ports?.includes(port) === true);
    started = [...started, server.pid];
    assert.deepEqual(server.owner, {
      ...{ agents: ['claude'], claimed: false, conversation: CONVERSATION, pid },
    });
    killIfThere(pid);
    const left = await rowOnce((seen) => seen.pid === server.pid && seen.owner?.pid === undefined);
    assert.deepEqual([left.owner?.agents, left.owner?.claimed, left.detached], [['claude'], false, false]);
    assert.equal(
      (await rows()).some((seen) => seen.pid === pid),
      false,
    );
  });

  it('knows by session and mark which command has left a background job @all', async () => {
    const file = path.join(folder, 'command');
    const leave = `read -r stat < /proc/$$/stat; echo "$stat" > ${file}; sleep 999 &`;
    const pid = agent('claude', `setsid -w sh -c '${leave}'; sleep 998`);
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
    const [leader, , , ppid, ...more] = readFileSync(file, 'utf8').split(' ');
    const command = {
      ...{ pid: Number(leader), ppid: Number(ppid), startTime: more[17] ?? '', agent: 'claude' },
      ...{ conversation: CONVERSATION, cwd: folder, command: leave, end: { at: 1, exitCode: 0 } },
    };
    // The job is in the process group of the command.
    started = [...started, command.pid];
    const isLeft = (row: Sighting): boolean => row.command === 'sleep 999';
    const row = await rowOnce(isLeft, new Sightings({ read: () => [command] }));
    const owner = { agents: ['claude'], claimed: false, conversation: CONVERSATION, pid };
    assert.deepEqual([row.owner, row.detached, row.handedOver], [owner, false, false]);
    const forged = new Sightings({ read: () => [{ ...command, conversation: 'another' }] });
    assert.equal((await rowOnce(isLeft, forged)).owner?.claimed, true);
  });

  it('has only a claim for what was never below its agent @all', async () => {
    const pid = agent('claude', 'sh -c "setsid sleep 1000 &"; exec sleep 1');
    const row = await rowOnce(({ command }) => command === 'sleep 1000');
    started = [...started, row.pid];
    assert.deepEqual([row.owner?.claimed, row.detached, row.owner?.pid], [true, true, undefined], `${pid}`);
  });
});
