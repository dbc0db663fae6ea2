import assert from 'node:assert/strict';

import { useMachine } from '../server/machine/machineFixture.js';
import {
  cutOnlyFile,
  cutOlderFile,
  keepInTwoFiles,
  keepOnDisk,
  NUMBERS,
  scriptOf,
} from '../support/longOutput.js';
import { until } from '../support/until.js';
import { endSessionServersIn } from '../support/sessionServers.js';
import { runLine } from './cliFixture.js';

/** The words about the end of a session that was lost. */
const MAY_BE_MISSING =
  'exec-sessions: the end of the output may be missing: its server ended before it could say that all is on disk.\n';

describe('exec-sessions and output on disk', () => {
  const machine = useMachine();

  it('prints and searches what memory has let go', async () => {
    const script = scriptOf(NUMBERS);
    await runLine(machine, `exec-sessions run --detach --pipes --title long -- sh -c '${script}'`);
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    const process = await keepOnDisk(backend, NUMBERS);
    assert.ok(process.info().output.evicted.bytes > 1024 * 1024);
    for (const how of ['', '--plain']) {
      const line = `exec-sessions logs ${how} long | cksum; seq 1 400000 | cksum`;
      const { stdout, stderr } = await runLine(machine, line);
      const [printed, expected] = stdout.split('\n');
      assert.deepEqual([printed, stderr], [expected, '']);
    }
    const { stdout } = await runLine(machine, 'exec-sessions search 1234567 ; exec-sessions search 77777');
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(': ')[1]),
      ['77777', '177777', '277777', '377777', undefined],
    );
    await process.describe({ keepOutput: false });
    const { stderr } = await runLine(machine, 'exec-sessions logs long | tail -n 1');
    assert.match(stderr, /^exec-sessions: the first \d+ bytes are no longer kept\.\n$/);
  });

  it('prints and searches what was kept of sessions whose server was killed', async () => {
    const run = (title: string, script: string) =>
      runLine(machine, `exec-sessions run --detach --pipes --title ${title} -- sh -c '${script}'`);
    await run('long', scriptOf(NUMBERS));
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    await keepOnDisk(backend, NUMBERS);
    for (const title of ['short', 'twice', 'twice']) {
      await run(title, 'echo text; read x');
    }
    const twice = (await backend.list()).filter(({ metadata }) => metadata['title'] === 'twice');
    for (const { processId } of twice) {
      const process = await backend.attach(processId);
      await process.describe({ keepOutput: true });
      await until(async () => (await process.readKept({ afterSeq: 0, maxBytes: 1 })).chunks.length > 0);
    }
    await endSessionServersIn(machine.folder, 'SIGKILL');
    for (const how of ['', '--plain', '--follow']) {
      const line = `exec-sessions logs ${how} long | cksum; seq 1 400000 | cksum`;
      const { stdout, stderr } = await runLine(machine, line);
      const [printed, expected] = stdout.split('\n');
      assert.deepEqual([printed, stderr], [expected, MAY_BE_MISSING], how);
    }
    const since =
      'exec-sessions logs long --since 2100-01-01; exec-sessions logs long --since 1h | cksum | cut -c1-2; seq 1 400000 | cksum | cut -c1-2';
    const [none, later] = (await runLine(machine, since)).stdout.split('\n');
    assert.equal(none, later);
    const { stdout, stderr } = await runLine(machine, 'exec-sessions search 77777');
    assert.equal(
      stderr,
      'exec-sessions: the end of the output of 3 sessions may be missing on disk. "exec-sessions logs ID" says what is known.\n',
    );
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(': ')[1]),
      ['77777', '177777', '277777', '377777', undefined],
    );
    const id = stdout.split(':')[0] ?? '';
    assert.match((await runLine(machine, `exec-sessions logs ${id} | head -n 1`)).stdout, /^1\n$/);
    const gone = await runLine(machine, 'exec-sessions logs short');
    assert.deepEqual([gone.code, gone.stdout], [3, '']);
    assert.match(gone.stderr, /^exec-sessions: "short" has ended, and its output is gone: /);
    const several = await runLine(machine, 'exec-sessions logs twice');
    assert.equal(several.code, 3);
    assert.match(
      several.stderr,
      /"twice" can be any of these sessions, which have ended;.*(\n {2}\w{8} .*twice){2}\n$/,
    );
    assert.match((await runLine(machine, 'exec-sessions logs none')).stderr, /there are none at all/);
  });

  it('says how much is missing in the middle of what was kept, to the byte @all', async () => {
    const script = scriptOf(NUMBERS);
    await runLine(machine, `exec-sessions run --detach --pipes --title long -- sh -c '${script}'`);
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    await keepInTwoFiles(backend);
    await keepOnDisk(backend, NUMBERS);
    await endSessionServersIn(machine.folder, 'SIGKILL');
    cutOlderFile(machine.env, 100);
    const line = 'exec-sessions logs long | tee printed | wc -c; seq 1 400000 | wc -c';
    const { stdout, stderr } = await runLine(machine, line);
    const [printed = 0, all = 0] = stdout.split('\n').map(Number);
    assert.ok(printed > all / 2);
    assert.equal(stderr, `exec-sessions: ${all - printed} bytes are no longer kept.\n${MAY_BE_MISSING}`);
    const ends = await runLine(machine, 'head -n 1 printed; tail -n 1 printed');
    assert.equal(ends.stdout, '1\n400000\n');
    const found = await runLine(machine, 'exec-sessions search 77777 | wc -l');
    assert.match(found.stderr, /^exec-sessions: some of the output of one session is no longer kept, /);
  });

  it('says how much is missing at the end of what was kept, to the byte @all', async () => {
    const script = 'read x; seq 1 50000';
    await runLine(machine, `exec-sessions run --detach --pipes --title ended -- sh -c '${script}'`);
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    const [info] = await backend.list();
    const process = await backend.attach(info?.processId ?? '');
    await process.describe({ keepOutput: true });
    await process.write(Buffer.from('\n'));
    await runLine(machine, 'exec-sessions wait ended --for closed');
    const { bytes } = process.info().output;
    await until(async () => {
      const { stdout } = await runLine(machine, 'exec-sessions receipts --json');
      return stdout.includes(`"outputBytes":${bytes}`);
    });
    await process.readKept({ afterSeq: process.info().output.lastSeq, maxBytes: 1 });
    await endSessionServersIn(machine.folder, 'SIGKILL');
    const all = await runLine(machine, 'exec-sessions logs ended | wc -c');
    assert.deepEqual([Number(all.stdout), all.stderr], [bytes, '']);
    cutOnlyFile(machine.env, 1_000);
    const cut = await runLine(machine, 'exec-sessions logs ended | wc -c');
    const gone = bytes - Number(cut.stdout);
    assert.ok(gone >= 1_000);
    assert.equal(cut.stderr, `exec-sessions: the last ${gone} bytes are not on disk.\n`);
    const found = await runLine(machine, 'exec-sessions search 12345');
    assert.match(found.stderr, /^exec-sessions: the end of the output of one session may be missing/);
  });

  it('keeps the beginning of a flood when the server is killed, and says that the end may be missing', async () => {
    await runLine(machine, 'exec-sessions run --detach --pipes --title flood -- seq 1 100000000');
    const { backend } = (await machine.connect()) ?? assert.fail('There is no server.');
    const [info] = await backend.list();
    const process = await backend.attach(info?.processId ?? '');
    await process.describe({ keepOutput: true });
    await until(async () => (await process.readKept({ afterSeq: 0, maxBytes: 1 })).chunks.length > 0);
    await endSessionServersIn(machine.folder, 'SIGKILL');
    const { stdout, stderr } = await runLine(machine, 'exec-sessions logs flood | wc -c');
    assert.ok(Number(stdout) > 0);
    assert.ok(stderr.endsWith(MAY_BE_MISSING), stderr);
  });
});
