import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import {
  type ExecProcess,
  type KeptOutput,
  type MissingOutput,
  type ProcessInfo,
  readRetained,
} from '../../../src/core/index.js';
import { stateFolder } from '../../../src/local/index.js';
import { type Machine, OutputFolder } from '../../../src/machine/index.js';
import { killIfThere } from '../../support/killIfThere.js';
import { asRoot } from '../../support/onLinux.js';
import { isRunning } from '../../support/processes.js';
import { outputFilesIn } from '../../support/longOutput.js';
import { until } from '../../support/until.js';
import { params, sh } from '../../support/startParams.js';
import { useMachine } from './machineFixture.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** The last number that `seq` prints here. */
const SEQ_END = 3_000_000;
const SEQ_BYTES = 22_888_896;

describe('The output of sessions on disk', () => {
  const fixture = useMachine();
  const folder = () => path.join(stateFolder(fixture.env) ?? '', 'exec-sessions/output');
  const files = () => outputFilesIn(folder());
  const connect = async (disk = { keep: true, bytes: 20 * MIB, allBytes: 200 * MIB }): Promise<Machine> => {
    const machine = (await fixture.connect()) ?? assert.fail('There is no server.');
    await machine.backend.keepWithoutClient({ personSeconds: -1, agentSeconds: 600, disk });
    return machine;
  };
  const start = ({ backend }: Machine, script: string, some: object = {}): Promise<ExecProcess> =>
    backend.start({ ...params({ argv: sh(script), ...some }), owned: true });
  const closed = (process: ExecProcess) => until(() => process.info().state, 'closed');
  /** Resolves when the disk has all that it gets of the output, however slow it is. */
  const onDisk = (process: ExecProcess) =>
    process.readKept({ afterSeq: process.info().output.lastSeq, maxBytes: 1 });
  const retained = async (process: ExecProcess) => {
    const pages: string[] = [];
    const missing: MissingOutput[] = [];
    await readRetained(process, (page) => {
      pages.push(...page.chunks.map(({ bytes }) => Buffer.from(bytes).toString('latin1')));
      missing.push(...page.missing);
    });
    return { text: pages.join(''), missing };
  };
  const textOf = ({ chunks }: KeptOutput) =>
    chunks.map(({ bytes }) => Buffer.from(bytes).toString()).join('');
  /** The end of what a client has in its own memory. */
  const endOf = async (process: ExecProcess) =>
    Buffer.from((await process.read()).chunks.at(-1)?.bytes ?? []).toString();
  /** Starts what prints more numbers than memory keeps. Resolves when all are printed, and on disk. */
  const startCounting = async (machine: Machine, then: string): Promise<ExecProcess> => {
    const script = `for i in 0 1 2 3 4 5; do seq \${i}00000 \${i}99999; read x; done; ${then}`;
    const process = await start(machine, script, { pipeStdin: true });
    for (let part = 0; part < 6; part += 1) {
      await until(
        () => endOf(process),
        (seen) => seen.endsWith(`\n${Number(`${part}99999`)}\n`),
      );
      await onDisk(process);
      await process.write(Buffer.from('\n'));
    }
    return process;
  };
  const assertCounted = (text: string, process: ExecProcess) => {
    assert.equal(text.length, process.info().output.bytes);
    const lines = text.split('\n').slice(0, -1);
    assert.ok(lines.every((line, index) => Number(line) === index));
  };
  const modeOf = (file: string) => fs.statSync(file).mode & 0o777;
  /** The reason that clients were told why it is not kept any more. */
  const reasonOf = (process: ExecProcess) =>
    (process.info().metadata['keepOutputEnded'] as { reason?: string } | undefined)?.reason;

  it('reaches back to output that memory has let go, with no number twice and none missing', async () => {
    const machine = await connect();
    const process = await startCounting(machine, '');
    await closed(process);
    assert.ok(process.info().output.evicted.bytes > 2 * MIB);
    const { text, missing } = await retained(process);
    assert.deepEqual(missing, []);
    assertCounted(text, process);
    // Another client sees the same, which has nothing of it in its own memory.
    const other = await connect();
    const [info] = await other.backend.list();
    const attached = await other.backend.attach(info?.processId ?? '');
    await closed(attached);
    assert.ok((await retained(attached)).text === text);
    assert.equal(modeOf(folder()), 0o700);
    assert.ok(fs.readdirSync(folder()).every((file) => modeOf(path.join(folder(), file)) === 0o600));
  });

  it('keeps the newest part of a flood, and counts the missing part to the byte', async () => {
    const process = await start(await connect(), `seq 1 ${SEQ_END}`);
    await closed(process);
    // A file that goes while the pages are read leaves a gap of unknown size.
    await onDisk(process);
    const { text, missing } = await retained(process);
    assert.ok(text.length <= 21 * MIB && text.endsWith(`\n${SEQ_END}\n`), `${text.length} bytes`);
    const gone = missing.reduce((sum, { bytes = Number.NaN }) => sum + bytes, 0);
    assert.equal(text.length + gone, SEQ_BYTES);
  });

  it('is not kept by default, and begins with the content of memory once switched on', async () => {
    const machine = await connect({ keep: false, bytes: 20 * MIB, allBytes: 200 * MIB });
    const process = await start(machine, 'echo first; read x; echo "got $x"; sleep 100', { pipeStdin: true });
    await until(() => process.info().output.bytes > 0);
    assert.deepEqual(files(), []);
    assert.deepEqual(await process.readKept({ afterSeq: 0, maxBytes: MIB }), { chunks: [], missing: [] });
    await process.describe({ keepOutput: true });
    assert.equal(textOf(await process.readKept({ afterSeq: 0, maxBytes: MIB })), 'first\n');
    await process.write(Buffer.from('typed\n'));
    await until(
      async () => textOf(await process.readKept({ afterSeq: 0, maxBytes: MIB })),
      'first\ngot typed\n',
    );
    assert.equal(files().length, 1);
    await process.describe({ keepOutput: false });
    await until(() => files().length, 0);
    assert.deepEqual(await process.readKept({ afterSeq: 0, maxBytes: MIB }), { chunks: [], missing: [] });
    await process.describe({ keepOutput: true });
    assert.equal(textOf(await process.readKept({ afterSeq: 0, maxBytes: MIB })), 'first\ngot typed\n');
  });

  it('has nothing of what is typed and not printed', async () => {
    const process = await start(await connect(), 'stty -echo; echo ready; read x; echo done; sleep 100', {
      tty: true,
    });
    await until(() => process.info().output.bytes > 0);
    await process.write(Buffer.from('very-secret\n'));
    await until(
      async () => textOf(await process.readKept({ afterSeq: 0, maxBytes: MIB })),
      (seen) => seen.includes('done'),
    );
    for (const file of files()) {
      assert.ok(!fs.readFileSync(file).includes('very-secret'));
    }
  });

  it('is deleted with its session, and when it is switched off', async () => {
    const machine = await connect();
    const process = await start(machine, 'echo text');
    await closed(process);
    await until(() => files().length, 1);
    await machine.backend.remove(process.processId);
    await until(() => files().length, 0);
    const next = await start(machine, 'echo text', { processId: 'next' });
    await closed(next);
    await until(() => files().length, 1);
    await machine.backend.keepWithoutClient({
      personSeconds: -1,
      agentSeconds: 600,
      disk: { keep: false, bytes: 20 * MIB, allBytes: 200 * MIB },
    });
    await until(() => files().length, 0);
  });

  it('is deleted session by session, the oldest first, when all together are too much @all', async () => {
    const machine = await connect({ keep: true, bytes: 20 * MIB, allBytes: 3 * MIB });
    const names = ['a', 'b', 'c', 'd'];
    const processes: ExecProcess[] = [];
    for (const processId of names) {
      const process = await start(machine, `yes ${processId} | head -c ${MIB}`, { processId });
      await closed(process);
      processes.push(process);
    }
    const left = async () => {
      const kept = await Promise.all(
        processes.map((process) => process.readKept({ afterSeq: 0, maxBytes: 1 })),
      );
      return names.filter((_, index) => (kept[index]?.chunks.length ?? 0) > 0).join('');
    };
    await until(() => left(), 'cd');
    // No client is told that it is kept.
    const saidOf = () =>
      names.filter((_, index) => processes[index]?.info().metadata['outputKept'] === true).join('');
    await until(() => saidOf(), 'cd');
  });

  it('is left behind by a killed server, and read by the next one', async () => {
    const process = await start(await connect(), `seq 1 100000; echo last; sleep 100`);
    await until(() => process.info().output.bytes > 500_000);
    await until(
      async () => (await retained(process)).text,
      (seen) => seen.endsWith('last\n'),
    );
    // With it, all is written.
    await process.readKept({ afterSeq: 0, maxBytes: 1 });
    const [file = ''] = files();
    const [, handle = ''] = path.basename(file).split('.');
    const [pid = 0] = await fixture.servers();
    killIfThere(pid, 'SIGKILL');
    await until(async () => !(await isRunning(pid)));
    const { backend } = await connect();
    let text = '';
    for (let afterSeq = 0, done = false; !done;) {
      const kept = await backend.readKept(handle, { afterSeq, maxBytes: 64 * KIB });
      text += textOf(kept);
      done = kept.chunks.length === 0;
      afterSeq = kept.chunks.at(-1)?.seq ?? 0;
    }
    assert.equal(text.split('\n').length, 100_002);
    assert.deepEqual(await backend.readKept('../../etc/passwd', { afterSeq: 0, maxBytes: 1 }), {
      chunks: [],
      missing: [],
    });
  });

  it('is read as a whole by a client that stays when its server is killed, also beyond its memory @all', async () => {
    const machine = await connect();
    const process = await startCounting(machine, 'sleep 100');
    const ended = await start(machine, 'echo ended', { processId: 'ended' });
    await closed(ended);
    await onDisk(ended);
    const isSaid = ({ metadata }: ProcessInfo) => metadata['outputKept'] === true;
    await until(() => isSaid(process.info()) && isSaid(ended.info()));
    const [pid = 0] = await fixture.servers();
    killIfThere(pid, 'SIGKILL');
    await until(() => process.info().state, 'failed');
    assert.ok(process.info().output.evicted.bytes > 2 * MIB);
    const { text, missing } = await retained(process);
    assert.deepEqual(missing, []);
    assertCounted(text, process);
    assert.equal(textOf(await ended.readKept({ afterSeq: 0, maxBytes: MIB })), 'ended\n');
  });

  it('is of its own session, also where a client of the next server uses the same name again', async () => {
    const say = async (text: string) => {
      const process = await start(await connect(), `echo ${text}; sleep 1000`, { processId: 'same' });
      const isSaid = async () =>
        textOf(await process.readKept({ afterSeq: 0, maxBytes: MIB })) === `${text}\n`;
      await until(isSaid);
      const [pid = 0] = await fixture.servers();
      killIfThere(pid, 'SIGKILL');
      await until(async () => !(await isRunning(pid)));
    };
    await say('first');
    await say('second');
    const outputs = OutputFolder.of(fixture.env);
    const texts = [...(await outputs.names())].map(async (name) =>
      textOf(await outputs.read(name, { afterSeq: 0, maxBytes: MIB })),
    );
    assert.deepEqual((await Promise.all(texts)).sort(), ['first\n', 'second\n']);
  });

  it('is whole of a hundred sessions at once, also for whoever reads it after their server @all', async () => {
    const machine = await connect();
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    const script = 'echo begins; read number; seq 1 "$number"; echo "was $number"';
    const processes = await Promise.all(
      numbers.map((number) => start(machine, script, { processId: `of-${number}`, pipeStdin: true })),
    );
    const texts = numbers.map((number) => `begins\n${numbers.slice(0, number).join('\n')}\nwas ${number}\n`);
    // All of them run by now.
    await Promise.all(
      processes.map((process, index) => process.write(Buffer.from(`${numbers[index] ?? 0}\n`))),
    );
    await Promise.all(processes.map(closed));
    const kept = async () =>
      Promise.all(processes.map((process) => process.readKept({ afterSeq: 0, maxBytes: MIB })));
    await until(
      () => kept(),
      (seen) => seen.every((one, index) => textOf(one) === texts[index]),
    );
    assert.ok((await kept()).every(({ missing }) => missing.length === 0));
    const [pid = 0] = await fixture.servers();
    killIfThere(pid, 'SIGKILL');
    await until(async () => !(await isRunning(pid)));
    const outputs = OutputFolder.of(fixture.env);
    const left = [...(await outputs.names())].map((name) =>
      outputs.read(name, { afterSeq: 0, maxBytes: MIB }),
    );
    assert.deepEqual((await Promise.all(left)).map(textOf).sort(), [...texts].sort());
  });

  it('stops with one message if its folder cannot be made, and begins when asked again', async () => {
    const state = path.join(fixture.folder, 'home/.local');
    fs.writeFileSync(state, 'a file');
    const machine = await connect();
    const process = await start(machine, 'echo text; sleep 100');
    await until(() => reasonOf(process) !== undefined);
    assert.match(reasonOf(process) ?? '', /ENOTDIR/);
    await until(() => process.info().output.bytes > 0);
    fs.rmSync(state);
    await process.describe({ keepOutput: true });
    assert.deepEqual((await process.readKept({ afterSeq: 0, maxBytes: MIB })).chunks, []);
    await process.describe({ keepOutput: true, keepOutputEnded: null });
    assert.equal(textOf(await process.readKept({ afterSeq: 0, maxBytes: MIB })), 'text\n');
  });

  asRoot('is not written through a folder of somebody else', async () => {
    fs.mkdirSync(folder(), { recursive: true });
    fs.chownSync(folder(), 12_345, 12_345);
    const process = await start(await connect(), 'echo text; sleep 100');
    await until(() => reasonOf(process) !== undefined);
    assert.match(reasonOf(process) ?? '', /belongs to another user/);
    assert.deepEqual(files(), []);
  });
});
