import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { receiptPlace } from '../../src/machine/index.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { cli, runLine, useTerminals } from './cliFixture.js';

describe('exec-sessions receipts', () => {
  const machine = useMachine();
  const open = useTerminals(machine);

  const printed = async (line: string) => {
    const { stdout, stderr } = await runLine(machine, line);
    return { lines: stdout.trim().split('\n'), stderr };
  };

  it('says how sessions have ended, of a server that was killed as well', async () => {
    assert.deepEqual(await printed('exec-sessions receipts'), {
      lines: [''],
      stderr: 'There are no receipts.\n',
    });
    await runLine(machine, "exec-sessions run --title failed -- sh -c 'exit 3'");
    await runLine(machine, 'exec-sessions run --detach --title lost -- sleep 1000');
    const stop = 'exec-sessions run --detach --title stopped -- sleep 1000 && exec-sessions stop stopped';
    await runLine(machine, stop);
    const expected = [/ stopped by a person .* stopped$/, / exit 3 .* failed$/];
    await until(async () => {
      const { lines } = await printed('exec-sessions receipts');
      return lines.length === 3 && expected.every((words, index) => words.test(lines[index + 1] ?? ''));
    });
    const [server = 0] = await machine.servers();
    process.kill(server, 'SIGKILL');
    await until(async () => !(await isRunning(server)));
    const { lines } = await printed('exec-sessions receipts');
    // The hang-up of its terminal may be quicker than the guard.
    const words = / lost: its server ended(?:, stopped by the guard \(\w+\))? +lost$/;
    assert.equal(lines.filter((line) => words.test(line)).length, 1);
    const json = JSON.parse((await printed('exec-sessions receipts --json --limit 1')).lines[0] ?? '') as {
      version: number;
      receipts: { lost: boolean }[];
    };
    assert.deepEqual([json.version, json.receipts.length], [1, 1]);
    assert.deepEqual(await machine.servers(), [], 'None is started for reading.');
  });

  it('says "stopped by a person" if their Ctrl-C or signal ended the session, and not if the session survived it', async () => {
    const interrupted = await open([
      'run',
      '--title',
      'interrupted',
      '--',
      'sh',
      '-c',
      'echo ready; exec sleep 1000',
    ]);
    await interrupted.shows('ready');
    await interrupted.type('\u0003');
    await interrupted.ended();
    const trap = 'trap "echo no" INT; echo ready; read line; exit 3';
    const alive = await open(['run', '--title', 'alive', '--', 'sh', '-c', trap]);
    await alive.shows('ready');
    await alive.type('\u0003');
    await alive.shows('no');
    await alive.type('\r');
    assert.equal(await alive.ended(), 3);
    await runLine(machine, 'exec-sessions run --detach --title signalled -- sleep 1000');
    await runLine(machine, 'exec-sessions signal signalled TERM');
    const expected = [
      / SIGTERM, stopped by a person .* signalled$/,
      / exit 3 .* alive$/,
      / SIGINT, stopped by a person .* interrupted$/,
    ];
    await until(async () => {
      const { lines } = await printed('exec-sessions receipts');
      return expected.every((words) => lines.some((line) => words.test(line)));
    });
  });

  it('names nobody if a program such as timeout has ended its own command', async () => {
    const line =
      `'${process.execPath}' '${cli}' run --title ended -- sh -c 'echo ready; exec sleep 1000' >out & ` +
      'until grep -q ready out; do sleep 0.1; done; kill -TERM $!; wait $!';
    assert.equal((await runLine(machine, line)).code, 143);
    await until(async () => {
      const { lines } = await printed('exec-sessions receipts');
      return lines.some((one) => / SIGTERM {2,}ended$/.test(one));
    });
  });

  it('are left out at once if they are not in a file, and leftovers are still listed', async () => {
    const left = 'exec-sessions run --title parent -- sh -c "setsid sleep 1000 >/dev/null 2>&1 & echo \\$!"';
    const pid = Number((await runLine(machine, left)).stdout);
    const [server = 0] = await machine.servers();
    process.kill(server, 'SIGKILL');
    await until(async () => !(await isRunning(server)));
    const { folder = '' } = receiptPlace(machine.env) ?? {};
    const [name = ''] = fs.readdirSync(folder).filter((one) => one.endsWith('.jsonl'));
    fs.rmSync(path.join(folder, name));
    execFileSync('mkfifo', [path.join(folder, name)]);
    const refusal = /left out: .*\.jsonl is not a file, but a pipe or the like: move it away\nThere are no/;
    const receipts = await runLine(machine, 'exec-sessions receipts');
    assert.deepEqual([receipts.code, receipts.stdout], [0, '']);
    assert.match(receipts.stderr, refusal);
    const { lines, stderr } = await printed('exec-sessions leftovers');
    assert.match(
      stderr,
      /Some receipts cannot be read, so leftover processes of sessions whose server still runs may be missing: /,
    );
    assert.ok(
      lines.some((line) => line.startsWith(`${pid} `)),
      lines.join('\n'),
    );
    await runLine(machine, `exec-sessions leftovers stop ${pid}`);
    await until(async () => !(await isRunning(pid)));
  });

  it('omits receipts that cannot be written, and lists them once they are written', async () => {
    const { folder = '' } = receiptPlace(machine.env) ?? {};
    // Nothing is written into a folder that others can look into.
    fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
    for (const line of ['run -- true', 'ls --all']) {
      assert.equal((await runLine(machine, `exec-sessions ${line}`)).stderr, '');
    }
    assert.equal((await printed('exec-sessions receipts')).stderr, 'There are no receipts.\n');
    fs.chmodSync(folder, 0o700);
    await runLine(machine, 'exec-sessions run -- true');
    await until(async () => (await printed('exec-sessions receipts')).lines.length, 3);
  });

  it('lists what sessions have left running, and stops what it lists, and nothing else', async () => {
    const left = "exec-sessions run --title parent -- sh -c 'setsid sleep 1000 >/dev/null 2>&1 & echo $!'";
    const pid = Number((await runLine(machine, left)).stdout);
    const other = Number((await runLine(machine, left)).stdout);
    await until(async () => {
      const { lines } = await printed('exec-sessions leftovers');
      return [pid, other].every((one) =>
        lines.some((line) => line.startsWith(`${one} `) && / sleep .* you +parent$/.test(line)),
      );
    });
    const { code, stderr } = await runLine(machine, `exec-sessions leftovers stop ${process.pid}`);
    assert.equal(code, 3);
    assert.match(stderr, /is not left of a session/);
    assert.deepEqual((await printed(`exec-sessions leftovers stop ${pid}`)).lines, [
      `sleep (${pid}): stopped`,
    ]);
    assert.deepEqual([await isRunning(pid), await isRunning(other)], [false, true]);
    // Without a server and without receipts, the mark alone tells of it.
    for (const server of await machine.servers()) {
      process.kill(server, 'SIGKILL');
      await until(async () => !(await isRunning(server)));
    }
    fs.rmSync(receiptPlace(machine.env)?.folder ?? '', { recursive: true });
    const { lines } = await printed('exec-sessions leftovers --json');
    if (await isRunning(other)) {
      assert.match(lines[0] ?? '', new RegExp(`"pid":${other},"startTime":"\\d+","command":"sleep"`));
      process.kill(other, 'SIGKILL');
    }
  });
});
