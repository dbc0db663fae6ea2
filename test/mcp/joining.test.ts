import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { ExecProcess } from '../../src/core/index.js';
import { runLine } from '../cli/cliFixture.js';
import { otherFiles } from '../server/machine/machineFixture.js';
import { describeOnPosix } from '../support/onLinux.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { sessionServersOf } from '../support/sessionServers.js';
import { describeDisks, withDisk } from '../support/smallDisk.js';
import { params } from '../support/startParams.js';
import { type McpProgram, useMcpPrograms } from './program.js';
import { callTool } from './reply.js';

const CAT = { argv: ['cat'], stdin: true, yield_time_ms: 0 };

describeOnPosix('exec-server mcp with the session server of its machine', () => {
  const programs = useMcpPrograms();

  it('starts none before a tool is called, and one for all programs', async () => {
    const [one, two] = await Promise.all([programs.start({ joins: true }), programs.start({ joins: true })]);
    await one.client.listTools();
    assert.deepEqual(sessionServersOf(programs.folder), []);
    await Promise.all([one, two].map(({ client }) => callTool(client, 'exec_command', CAT)));
    assert.equal(sessionServersOf(programs.folder).length, 1);
    const list = await (await programs.connect()).backend.list();
    assert.deepEqual(
      list.map(({ argv }) => argv),
      [['cat'], ['cat']],
    );
  });

  it('says there what every window shows of a session', async () => {
    const { client } = await programs.start({ joins: true });
    await callTool(client, 'exec_command', { ...CAT, title: 'my cat' });
    const [info] = await (await programs.connect()).backend.list();
    const { sessionId, origin, folder, title, commandLine } = info?.metadata ?? {};
    assert.deepEqual(
      { origin, folder, title, commandLine },
      {
        origin: { kind: 'agent', name: 'tester' },
        folder: programs.folder,
        title: 'my cat',
        commandLine: 'cat',
      },
    );
    assert.equal(typeof sessionId, 'string');
    assert.equal(info?.owned, true);
  });

  it('gives a session the number that it has on the command line for its whole life', async () => {
    const { client } = await programs.start({ joins: true });
    const { folder } = programs;
    const run = async (line: string) =>
      (await runLine({ folder, env: { PATH: process.env['PATH'] ?? '', ...programs.env } }, line)).stdout;
    const numbers = async () =>
      [...(await run('exec-sessions ls --json')).matchAll(/"number":(\w+)/g)].map(([, number]) => number);
    await run('exec-sessions run --title first -- true');
    const { session } = await callTool(client, 'exec_command', CAT);
    await run('exec-sessions run --detach -- sleep 1000');
    const before = await numbers();
    assert.equal(before[0], String(session));
    assert.match(before.join(), /^\d+,\d+$/);
    await run('exec-sessions rm first');
    assert.deepEqual(await numbers(), before);
    assert.match(await run(`exec-sessions kill ${session}`), /^cat: stopped/);
    assert.deepEqual(await numbers(), before.slice(1));
  });

  it('calls people in all windows to a program that waits for a secret, until it goes on or this program is gone', async () => {
    const { client } = await programs.start({ joins: true });
    const asking = 'read -rsp "One: " a; echo; read -rsp "Two: " b; echo; sleep 100';
    const answer = await callTool(client, 'exec_command', {
      argv: ['bash', '-c', asking],
      tty: true,
      yield_time_ms: 30_000,
    });
    assert.equal(answer.state, 'waiting for a secret');
    assert.match(
      answer.text,
      /in VS Code, if a window is open, or with "exec-sessions attach \d+ --take-control"/,
    );
    const { backend } = await programs.connect();
    const look = async () => (await backend.list())[0];
    const waitsFor = async () => (await look())?.metadata['waitsFor'] ?? undefined;
    await until(() => waitsFor(), 'secret');
    const window = await backend.attach((await look())?.processId ?? '');
    await window.describe({ controller: 'person' });
    await window.write(new TextEncoder().encode('hunter2\r'));
    await window.describe({ controller: 'agent' });
    await until(() => waitsFor(), undefined);
    const next = await callTool(client, 'wait_for', {
      session: answer.session,
      pattern: 'never',
      timeout_ms: 30_000,
    });
    assert.equal(next.state, 'waiting for a secret');
    await until(() => waitsFor(), 'secret');
    await client.close();
    await until(() => waitsFor(), undefined);
    window.release();
  });

  it('goes, and leaves its sessions running', async () => {
    const { client, pid } = await programs.start({ joins: true });
    await callTool(client, 'exec_command', CAT);
    await client.close();
    await until(async () => !(await isRunning(pid)));
    const [info] = await (await programs.connect()).backend.list();
    assert.equal(info?.state, 'running');
    assert.equal(await isRunning(info.pid ?? 0), true);
  });

  it('goes on with a new session server if that is killed', async () => {
    const { client } = await programs.start({ joins: true });
    const { session } = await callTool(client, 'exec_command', CAT);
    const [server = 0] = sessionServersOf(programs.folder);
    process.kill(server, 'SIGKILL');
    const lost = await callTool(client, 'wait_for', { session, exit: true, timeout_ms: 50_000 });
    assert.match(lost.state, /^lost: /);
    const again = await callTool(client, 'exec_command', { cmd: 'echo again' });
    assert.match(again.output, /^again$/m);
    assert.notDeepEqual(sessionServersOf(programs.folder), [server]);
  });

  it('serves alone where a session server is impossible, and says so in its log and in the list', async () => {
    const { folder } = programs;
    // No place for a socket is private.
    for (const name of ['exec-sessions', `exec-sessions-${process.getuid?.() ?? ''}`, '.exec-sessions']) {
      fs.mkdirSync(path.join(folder, name));
      fs.chmodSync(path.join(folder, name), 0o755);
    }
    const { client, stderr } = await programs.start({ joins: true });
    const reply = await callTool(client, 'exec_command', { cmd: 'echo works' });
    assert.match(reply.output, /^works$/m);
    const notice =
      /^Sessions end with this program, and no window of VS Code shows them: The session server of this machine cannot be used: others can look into the folder .*\.$/m;
    assert.match((await callTool(client, 'list_sessions')).text, notice);
    assert.match(stderr(), notice);
    assert.deepEqual(sessionServersOf(folder), []);
  });

  describe('two agents of one name, each in a program of its own,', () => {
    const warnings = (text: string) => text.split('\n').filter((line) => line.startsWith('Warning'));
    const list = async ({ client }: McpProgram) => (await callTool(client, 'list_sessions')).text;

    it('are told what the other does with their sessions, once, and who has ended them', async () => {
      const [one, two] = [await programs.start({ joins: true }), await programs.start({ joins: true })];
      const { session } = await callTool(one.client, 'exec_command', CAT);
      const { text } = await callTool(two.client, 'write_stdin', { session, chars: 'a\n' });
      assert.match(text, new RegExp(`^Session ${session} of another tester: cat$`, 'm'));
      assert.deepEqual(warnings(text), []);
      const told = await untilMatch(() => list(one), /has called write_stdin/);
      assert.deepEqual(warnings(told), [
        `Warning: Another tester has called write_stdin for session ${session} (cat).`,
      ]);
      assert.deepEqual(warnings(await list(one)), []);
      const stopped = await callTool(two.client, 'stop_session', { session });
      assert.match(stopped.state, /^ended by SIGINT \(exit code 130, stopped by tester\)$/);
      const ended = await untilMatch(() => list(one), /1 session of yours, 0 running/);
      assert.deepEqual(warnings(ended), [
        `Warning: Another tester has called stop_session for session ${session} (cat).`,
      ]);
      assert.match(ended, /cat \| ended by SIGINT \(exit code 130, stopped by another tester\)/);
    });

    it('are told who has sent the signal that has ended a session', async () => {
      const [one, two] = [await programs.start({ joins: true }), await programs.start({ joins: true })];
      const { session } = await callTool(one.client, 'exec_command', CAT);
      await callTool(one.client, 'send_signal', { session, signal: 'SIGCONT' });
      await callTool(two.client, 'send_signal', { session, signal: 'SIGTERM' });
      const { state } = await callTool(one.client, 'wait_for', { session });
      assert.equal(state, 'ended by SIGTERM (exit code 143, sent by another tester)');
    });

    it('see a session that the other has taken over as the session of the other', async () => {
      const [one, two] = [await programs.start({ joins: true }), await programs.start({ joins: true })];
      const { session } = await callTool(one.client, 'exec_command', CAT);
      // Its session on the server of the one goes on, as that of a client whose window was closed does over HTTP.
      const [info] = await (await programs.connect()).backend.list();
      const held = await (await programs.connect()).backend.attach(info?.processId ?? '');
      await held.describe({ leftAt: 1 });
      await untilMatch(() => list(two), /left by/);
      const taken = await callTool(two.client, 'read_output', { session });
      assert.match(taken.text, /was left by tester .* ago, and is yours now/);
      await untilMatch(() => list(one), /^0 sessions of yours, 0 running\.\n1 session of other agents/);
    });

    it('keep taken-over sessions when the program of their former agent ends', async () => {
      const [one, two] = [await programs.start({ joins: true }), await programs.start({ joins: true })];
      const { session } = await callTool(one.client, 'exec_command', CAT);
      await callTool(one.client, 'exec_command', { ...CAT, title: 'not taken' });
      const { backend } = await programs.connect();
      const [taken, other] = await Promise.all(
        (await backend.list()).map(({ processId }) => backend.attach(processId)),
      );
      assert.ok(taken !== undefined && other !== undefined);
      const leftAt = (process: ExecProcess) => process.info().metadata['leftAt'];
      await taken.describe({ leftAt: 1 });
      await untilMatch(() => list(two), /left by/);
      await callTool(two.client, 'read_output', { session });
      await one.client.close();
      // At the end of a program, the server makes its changes one after the other.
      await until(() => leftAt(other) !== undefined);
      assert.equal(leftAt(taken), undefined);
      assert.match(await list(two), /^1 session of yours, 1 running/);
      await two.client.close();
      await until(() => leftAt(taken) !== undefined);
    });
  });

  it('remembers that a session is to be kept', async () => {
    const { client } = await programs.start({ joins: true });
    const { text } = await callTool(client, 'exec_command', { ...CAT, keep: true });
    assert.doesNotMatch(text, /Warning/);
    const window = await programs.connect();
    await until(async () => (await window.backend.list())[0]?.metadata['keep'] === true);
    const alone = await programs.start();
    const reply = await callTool(alone.client, 'exec_command', { ...CAT, keep: true });
    assert.match(reply.text, /^Warning: keep changed nothing/m);
  });

  it('uses the sessions of a server of another version, and starts new ones in its own', async () => {
    const { folder } = programs;
    const files = otherFiles(path.join(folder, 'older'));
    const older = await programs.connect({ files, start: true });
    const metadata = { agent: { number: 77, id: 'x', name: 'tester' }, commandLine: 'an old cat', leftAt: 1 };
    const cat = params({ argv: ['cat'], pipeStdin: true, owned: true, metadata });
    await older.backend.start(cat);
    const { client } = await programs.start({ joins: true });
    assert.match((await callTool(client, 'list_sessions')).text, /^Session 77: an old cat .*left by tester/m);
    await callTool(client, 'exec_command', CAT);
    await callTool(client, 'write_stdin', { session: 77, chars: 'meow\n' });
    assert.match((await callTool(client, 'read_output', { session: 77, cursor: '0' })).output, /^meow$/m);
    assert.equal((await older.backend.list()).length, 1);
    assert.equal((await (await programs.connect()).backend.list()).length, 1);
    assert.equal(sessionServersOf(folder).length, 2);
  });
});

async function untilMatch(read: () => Promise<string>, pattern: RegExp): Promise<string> {
  let text = '';
  await until(async () => {
    text = await read();
    return pattern.test(text);
  });
  return text;
}

describeDisks('exec-server mcp where its session server cannot be copied', () => {
  const programs = useMcpPrograms();

  for (const [disk, reason, prepare] of [
    ['is full', 'no space left on device (ENOSPC)', undefined],
    ['may only be read', 'read-only file system (EROFS)', 'mount -o remount,ro none "$2"'],
  ] as const) {
    it(`has it run from where it is if the disk ${disk}, and says so`, async () => {
      const cache = path.join(programs.folder, 'cache');
      fs.mkdirSync(cache);
      const { client, stderr } = await programs.start({
        joins: true,
        prefix: withDisk(128 * 1024, cache, prepare),
        env: { XDG_CACHE_HOME: cache },
      });
      assert.match((await callTool(client, 'exec_command', { cmd: 'echo works' })).output, /^works$/m);
      assert.equal(sessionServersOf(programs.folder).length, 1);
      assert.ok(stderr().includes(`is not copied to ${cache}/exec-sessions, and runs from`), stderr());
      assert.ok(stderr().includes(reason), stderr());
    });
  }
});
