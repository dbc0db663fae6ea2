import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';

import { readReceiptLines, receiptLine, systemClock } from '../../src/core/index.js';
import {
  MOST_RECEIPTS,
  pruneReceipts,
  readReceipts,
  receiptPlaceIn,
  ReceiptWriter,
  removeReceipts,
} from '../../src/machine/index.js';
import { ownerLine } from '../../src/machine/runOwner.js';
import { removeFolder } from '../rig/lifetime.js';
import { sampleReceipt } from '../support/sampleReceipt.js';
import { describeDisks, withDisk } from '../support/smallDisk.js';

const run = promisify(execFile);
const PROGRAM = path.join(import.meta.dirname, 'receiptProgram.ts');
/** Never reached. */
const UNBOUNDED = 1e12;

describe('The files with receipts', () => {
  let folder: string;
  let place: ReturnType<typeof receiptPlaceIn>;
  let lines: string[];

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-receipts-'));
    place = receiptPlaceIn(path.join(folder, 'receipts'));
    lines = [];
  });

  afterEach(() => {
    removeFolder(folder);
  });

  const program = (name: string, sessions: number, partBytes: number, ...more: string[]) => [
    ...['--import', 'tsx', PROGRAM, place.folder, name, String(sessions), String(partBytes)],
    ...more,
  ];
  const writer = (partBytes = UNBOUNDED) =>
    new ReceiptWriter({ place, clock: systemClock, log: (line) => lines.push(line), partBytes });
  const read = () => readReceipts(place, Date.now());
  const idsOf = async () => (await read()).map(({ id }) => id).sort();
  const filesOf = () => fs.readdirSync(place.folder).sort();
  const fileOf = (name: string) => path.join(place.folder, name);

  /** Writes the receipts of a server that has ended, a part for each list of ends. Returns the files. */
  const endedRun = async (endedAt: number, ...parts: readonly (readonly string[])[]) => {
    const before = new Set(fs.existsSync(place.folder) ? filesOf() : []);
    const one = writer(1);
    for (const ids of parts) {
      const receipts = ids.map((id) => sampleReceipt(id, endedAt * 1_000));
      await Promise.all(receipts.map((receipt) => one.write({ kind: 'receipt', receipt })));
    }
    await one.close();
    const files = filesOf().filter((file) => !before.has(file));
    files.forEach((file, index) => {
      end(file);
      fs.utimesSync(fileOf(file), endedAt + index, endedAt + index);
    });
    return files;
  };
  /** The first line of a part that a server of another machine writes. */
  const elsewhere = JSON.stringify({ v: 1, pid: 1, startTime: '0', boot: '', namespace: 'elsewhere' });
  const beginWith = (name: string, line: string) => {
    const [, ...rest] = fs.readFileSync(fileOf(name), 'utf8').split('\n');
    fs.writeFileSync(fileOf(name), [line, ...rest].join('\n'));
  };
  /** Makes a part one of a process that has ended. */
  const end = (name: string) =>
    beginWith(name, JSON.stringify({ ...(JSON.parse(ownerLine()) as object), startTime: '0' }));

  it('are read while three programs write, and have all that was there before', async () => {
    const names = ['a', 'b', 'c'];
    const programs = names.map((name) => run(process.execPath, program(name, 200, 10_000)));
    const written = Promise.all(programs).then(() => true);
    let seen = new Set<string>();
    do {
      const now = (await Promise.all([idsOf(), idsOf(), idsOf()])).map((ids) => new Set(ids));
      const missed = now.flatMap((ids) => [...seen].filter((id) => !ids.has(id)));
      assert.deepEqual(missed, []);
      seen = new Set(now.flatMap((ids) => [...ids]));
    } while (!(await Promise.race([written, setImmediate(false)])));
    const expected = names.flatMap((name) => Array.from({ length: 200 }, (_, index) => `${name}-${index}`));
    const ended = await read();
    assert.deepEqual(ended.map(({ id }) => id).sort(), expected.sort());
    assert.deepEqual(new Set(ended.map(({ end }) => end.at)), new Set([1_002]));
    assert.ok(filesOf().length > 30, String(filesOf()));
  });

  it('are read without a last line that a crash has cut', async () => {
    const [file = ''] = await endedRun(2, ['whole']);
    const line = receiptLine({ kind: 'receipt', receipt: sampleReceipt('cut', 2_000) });
    fs.appendFileSync(fileOf(file), line.slice(0, 90));
    assert.deepEqual(await idsOf(), ['whole']);
  });

  it('say that sessions of a killed program are lost since its last sign of life', async () => {
    const child = spawn(process.execPath, program('a', 1, UNBOUNDED, '--stay'), { stdio: 'pipe' });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    // If it fails it ends, and its output with it.
    while (!said.includes('stays') && child.exitCode === null) {
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
    assert.deepEqual(await idsOf(), ['a-0']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [name = ''] = filesOf();
    fs.utimesSync(fileOf(name), 1_234, 1_234);
    assert.deepEqual((await read()).find(({ id }) => id === 'runs')?.end, { kind: 'lost', at: 1_234_000 });
  });

  it('say that a session of another machine is lost after two minutes without a sign of life', async () => {
    const one = writer();
    await one.write({ kind: 'receipt', receipt: sampleReceipt('runs') });
    await one.close();
    const [name = ''] = filesOf();
    const file = fileOf(name);
    for (const first of [elsewhere, 'no first line yet']) {
      beginWith(name, first);
      const { mtimeMs } = fs.statSync(file);
      const lostAt = async (now: number) => (await readReceipts(place, now)).map(({ end }) => end.at);
      assert.deepEqual(await lostAt(mtimeMs + 119_000), []);
      assert.deepEqual(await lostAt(mtimeMs + 121_000), [mtimeMs]);
    }
  });

  it('are back, although removed, once a session ends that counted as lost', async () => {
    const one = writer();
    await one.write({ kind: 'receipt', receipt: sampleReceipt('runs') });
    await one.close();
    const [name = ''] = filesOf();
    beginWith(name, elsewhere);
    const readLater = () => readReceipts(place, Date.now() + 121_000);
    assert.equal((await readLater()).length, 1);
    await removeReceipts(place, new Set(['runs']), Date.now() + 121_000);
    assert.deepEqual(await readLater(), []);
    const ended = sampleReceipt('runs', 2_000);
    fs.appendFileSync(fileOf(name), `${receiptLine({ kind: 'receipt', receipt: ended })}\n`);
    assert.deepEqual(
      (await readLater()).map(({ end }) => end.kind),
      ['exit'],
    );
    await removeReceipts(place, new Set(['runs']), Date.now() + 121_000);
    assert.deepEqual(await readLater(), []);
  });

  it('say what the guard has stopped, by process', async () => {
    const one = writer();
    const leader = { pid: 7, startTime: '70' };
    const receipts = [
      { ...sampleReceipt('guarded'), leader },
      { ...sampleReceipt('other'), leader: { ...leader, startTime: '71' } },
      sampleReceipt('unknown'),
    ];
    await Promise.all(receipts.map((receipt) => one.write({ kind: 'receipt', receipt })));
    await one.close();
    const [name = ''] = filesOf();
    const report = fileOf(`${name.slice(0, 36)}.guard`);
    fs.writeFileSync(report, 'no line\n{"sid":7,"startTime":"70","steps":["interrupt","kill"]}\n{"sid":7');
    assert.deepEqual(await read(), []);
    end(name);
    const ends = (await read()).map(({ id, end, endedBy, steps }) => [
      id,
      end.kind,
      endedBy?.kind,
      steps.join(),
    ]);
    assert.deepEqual(ends.sort(), [
      ['guarded', 'lost', 'guard', 'interrupt,kill'],
      ['other', 'lost', undefined, ''],
      ['unknown', 'lost', undefined, ''],
    ]);
  });

  it('hold each session once, in its last state, and repeat running sessions in each part', async () => {
    const one = writer(1);
    await one.write({ kind: 'receipt', receipt: sampleReceipt('runs') });
    await one.write({ kind: 'receipt', receipt: sampleReceipt('ends') });
    await one.write({ kind: 'receipt', receipt: sampleReceipt('ends', 2_000) });
    await one.write({ kind: 'receipt', receipt: sampleReceipt('ends', 3_000) });
    await one.close();
    const parts = filesOf();
    assert.equal(parts.length, 4);
    assert.deepEqual(
      (await read()).map(({ id, end }) => [id, end.at]),
      [['ends', 3_000]],
    );
    parts.slice(0, -1).forEach((file) => fs.rmSync(fileOf(file)));
    end(parts.at(-1) ?? '');
    assert.deepEqual(await idsOf(), ['ends', 'runs']);
  });

  it('are deleted, oldest first, as long as the rest still holds all ends to keep', async () => {
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}${index}`);
    // The first receipt of each list is in a part of its own.
    const old = await endedRun(10, many('a', 100), many('b', 30));
    const middle = await endedRun(20, many('c', 50));
    const newest = await endedRun(30, many('d', MOST_RECEIPTS - 60));
    const runs = writer();
    await runs.write({ kind: 'receipt', receipt: sampleReceipt('runs') });
    await runs.close();
    const [running = ''] = filesOf().filter((file) => ![...old, ...middle, ...newest].includes(file));
    await pruneReceipts(place, Date.now());
    // Without the last part of the first run there would be 10 less than are kept.
    assert.deepEqual(filesOf(), [...old.slice(3), ...middle, ...newest, running].sort());
    assert.equal((await read()).length, MOST_RECEIPTS);
  });

  it('include a session that runs while receipts are switched off and on again', async () => {
    const one = writer();
    const running = sampleReceipt('a');
    await one.write({ kind: 'receipt', receipt: running });
    await one.write({ kind: 'removed', id: 'a' });
    assert.deepEqual(await idsOf(), []);
    await one.write({ kind: 'receipt', receipt: running });
    await one.write({ kind: 'receipt', receipt: sampleReceipt('a', 3_000) });
    await one.close();
    assert.deepEqual(await idsOf(), ['a']);
  });

  it('stay removed when the clock goes back, although a later part seems older', async () => {
    const one = writer(1);
    await one.write({ kind: 'receipt', receipt: sampleReceipt('taken back') });
    await one.write({ kind: 'receipt', receipt: sampleReceipt('ended', 2_000) });
    await one.write({ kind: 'removed', id: 'taken back' });
    await one.close();
    filesOf().forEach((file, index) => {
      end(file);
      fs.utimesSync(fileOf(file), 100 - index, 100 - index);
    });
    await pruneReceipts(place, Date.now());
    assert.deepEqual(await idsOf(), ['ended']);
  });

  it('are removed by a mark beside them, and deleted once nothing else is in them', async () => {
    const [file = ''] = await endedRun(2, ['a', 'b', 'c']);
    await Promise.all(['a', 'b'].map((id) => removeReceipts(place, new Set([id, 'unknown']), Date.now())));
    assert.deepEqual(await idsOf(), ['c']);
    await pruneReceipts(place, Date.now());
    assert.deepEqual(await idsOf(), ['c']);
    await removeReceipts(place, new Set(['c']), Date.now());
    fs.writeFileSync(fileOf(`${file.slice(0, 36)}.guard`), '');
    fs.writeFileSync(fileOf(`${randomUUID()}.guard`), '');
    await pruneReceipts(place, Date.now());
    assert.deepEqual(filesOf(), []);
  });

  it('are tried again when the disk takes them', async () => {
    fs.writeFileSync(place.folder, 'no folder');
    const one = writer();
    const write = (id: string) => one.write({ kind: 'receipt', receipt: sampleReceipt(id, 2_000) });
    await write('a');
    assert.match(lines.join('\n'), /^Receipts cannot be written: .*$/);
    fs.rmSync(place.folder);
    await write('b');
    assert.deepEqual(await idsOf(), ['a', 'b']);
    // A person has cleared up.
    fs.rmSync(place.folder, { recursive: true });
    await write('c');
    await write('d');
    assert.deepEqual(await idsOf(), ['c', 'd']);
    await one.close();
    assert.equal(lines.length, 1);
  });
});

describeDisks('The files with receipts on a disk of its own', () => {
  const runOn = async (prepare: string) => {
    const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'es-disk-'));
    const [command = '', ...args] = withDisk(65_536, disk, prepare);
    const program = [
      process.execPath,
      '--import',
      createRequire(path.resolve('package.json')).resolve('tsx'),
      PROGRAM,
      path.join(disk, 'receipts'),
    ];
    // The disk goes with the command.
    const script = '"$@" || exit; cat receipts/*.jsonl 2>/dev/null || true';
    try {
      return await run(command, [
        ...args,
        'sh',
        '-c',
        script,
        'sh',
        ...program,
        'a',
        '300',
        String(UNBOUNDED),
      ]);
    } finally {
      fs.rmSync(disk, { recursive: true });
    }
  };

  it('have only whole lines when the disk is full, which is said once and delays no session', async () => {
    const { stdout, stderr } = await runOn(':');
    assert.match(stderr, /^Receipts cannot be written: .*\n$/);
    const text = stdout.replace('written\n', '');
    const written = readReceiptLines(text).length;
    assert.ok(written > 50 && written < 900, String(written));
    // The first line names the program, and none was cut.
    assert.equal(text.split('\n').length, written + 2);
  });

  it('get no line on a read-only disk, which is said once and delays no session', async () => {
    const { stdout, stderr } = await runOn('mount -o remount,ro "$PWD"');
    assert.match(stderr, /^Receipts cannot be written: .*\n$/);
    assert.equal(stdout, 'written\n');
  });
});
