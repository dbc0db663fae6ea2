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

import { type Clock, readReceiptLines, receiptLine, systemClock } from '../../src/core/index.js';
import {
  compactReceipts,
  endsKnown,
  makeReceiptPlace,
  MOST_RECEIPTS,
  readReceipts,
  receiptPlaceIn,
  ReceiptWriter,
  removeReceipts,
  settleLost,
} from '../../src/machine/index.js';
import { FakeClock } from '../support/fakeClock.js';
import { onLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { sampleReceipt } from '../support/sampleReceipt.js';
import { describeDisks, withDisk } from '../support/smallDisk.js';

const run = promisify(execFile);
const PROGRAM = path.join(import.meta.dirname, 'receiptProgram.ts');
/** Never reached. */
const UNBOUNDED = 1e12;

describe('The file of receipts', () => {
  let folder: string;
  let place: ReturnType<typeof receiptPlaceIn>;
  let lines: string[];

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-receipts-'));
    place = receiptPlaceIn(path.join(folder, 'receipts'));
    lines = [];
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const program = (name: string, sessions: number, compactBytes: number, ...more: string[]) => [
    ...['--import', 'tsx', PROGRAM, place.folder, name, String(sessions), String(compactBytes)],
    ...more,
  ];
  const writer = (clock: Clock = systemClock) =>
    new ReceiptWriter({ place, clock, log: (line) => lines.push(line) });
  const read = () => readReceipts(place, Date.now());
  const idsOf = async () => (await read()).ended.map(({ id }) => id).sort();
  const linesOf = () => readReceiptLines(fs.readFileSync(place.file, 'utf8'));

  it('gets nine thousand lines of three programs, and none is torn @all', async () => {
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => run(process.execPath, program(name, 1_000, UNBOUNDED))));
    const { records, unreadable } = linesOf();
    assert.deepEqual([records.length, unreadable], [9_000, []]);
    assert.equal((await read()).ended.length, MOST_RECEIPTS);
  });

  it('is compacted while others append and read, and loses nothing meanwhile', async () => {
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
    const { ended, unreadable } = await read();
    assert.deepEqual(ended.map(({ id }) => id).sort(), expected.sort());
    assert.deepEqual(new Set(ended.map(({ end }) => end.at)), new Set([1_002]));
    assert.deepEqual(unreadable, []);
    assert.ok(linesOf().records.length < 1_800, 'It was not compacted.');
    assert.deepEqual(fs.readdirSync(place.folder).sort(), ['receipts.jsonl', 'runs']);
  });

  it('has all that was there, to who has begun to read when a compaction replaces it', async () => {
    makeReceiptPlace(place);
    const line = (id: string) =>
      `${receiptLine({ kind: 'receipt', revision: 1, run: 'x', receipt: sampleReceipt(id, 2_000) })}\n`;
    fs.writeFileSync(place.file, line('old') + line('late'));
    let looks = 0;
    const replaced = {
      ...place,
      // A caller that asks for it is about to read the old file, which is not there any more.
      get before() {
        looks += 1;
        fs.writeFileSync(`${place.file}.new`, line('old'));
        fs.renameSync(`${place.file}.new`, place.file);
        return place.before;
      },
    };
    const { ended } = await readReceipts(replaced, Date.now());
    assert.deepEqual(ended.map(({ id }) => id).sort(), ['late', 'old']);
    assert.equal(looks, 1);
  });

  it('goes on after a line that a crash has cut', async () => {
    makeReceiptPlace(place);
    const receipt = sampleReceipt('cut', 2_000);
    fs.writeFileSync(
      place.file,
      receiptLine({ kind: 'receipt', revision: 1, run: 'x', receipt }).slice(0, 90),
    );
    const one = writer();
    one.write((name) => ({ kind: 'receipt', revision: 1, run: name, receipt: sampleReceipt('next', 2_000) }));
    await one.close(true);
    assert.deepEqual((await read()).unreadable, [1]);
    assert.deepEqual(await idsOf(), ['next']);
    assert.equal(fs.readFileSync(place.file, 'utf8').split('\n').length, 3);
  });

  it('says of what ran with a killed program that it is lost, since its last sign of life', async () => {
    const child = spawn(process.execPath, program('a', 1, UNBOUNDED, '--stay'), { stdio: 'pipe' });
    // If it fails it ends, and its output with it.
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    const [name = ''] = fs.readdirSync(place.runs);
    const started = (id: string) =>
      `${receiptLine({ kind: 'receipt', revision: 0, run: name, receipt: sampleReceipt(id) })}\n`;
    fs.appendFileSync(place.file, started('runs'));
    assert.deepEqual(await idsOf(), ['a-0']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const sign = new Date(1_234_000);
    fs.utimesSync(path.join(place.runs, name), sign, sign);
    const lostIn = async () => (await read()).ended.find(({ id }) => id === 'runs')?.end;
    assert.deepEqual(await lostIn(), { kind: 'lost', at: 1_234_000 });
    await settleLost(place, Date.now());
    assert.deepEqual(fs.readdirSync(place.runs), []);
    assert.deepEqual(await lostIn(), { kind: 'lost', at: 1_234_000 });
  });

  it('says what the guard has stopped, by process, also once they are written down', async () => {
    const one = writer();
    const leader = { pid: 7, startTime: '70' };
    for (const receipt of [
      { ...sampleReceipt('guarded'), leader },
      { ...sampleReceipt('other'), leader: { ...leader, startTime: '71' } },
      sampleReceipt('unknown'),
    ]) {
      one.write((name) => ({ kind: 'receipt', revision: 0, run: name, receipt }));
    }
    await one.close(false);
    const [name = ''] = fs.readdirSync(place.runs);
    // As after its death: no process is of that start.
    fs.writeFileSync(path.join(place.runs, name), JSON.stringify({ pid: 1, startTime: '0', namespace: '' }));
    const report = path.join(place.runs, `${name}.guard`);
    fs.writeFileSync(report, 'no line\n{"sid":7,"startTime":"70","steps":["interrupt","kill"]}\n{"sid":7');
    const idle = path.join(place.runs, `${randomUUID()}.guard`);
    fs.writeFileSync(idle, '');
    const ends = async () => {
      const { ended } = await readReceipts(place, Date.now() + 1e9);
      return ended.map(({ id, end, endedBy, steps }) => [id, end.kind, endedBy?.kind, steps.join()]).sort();
    };
    const expected = [
      ['guarded', 'lost', 'guard', 'interrupt,kill'],
      ['other', 'lost', undefined, ''],
      ['unknown', 'lost', undefined, ''],
    ];
    assert.deepEqual(await ends(), expected);
    await settleLost(place, Date.now() + 1e9);
    assert.deepEqual(await ends(), expected);
    assert.deepEqual(fs.readdirSync(place.runs), []);
  });

  it('calls no session lost while its server may still give a sign of life', async () => {
    const clock = new FakeClock(Date.now());
    const one = writer(clock);
    one.write((name) => ({ kind: 'receipt', revision: 0, run: name, receipt: sampleReceipt('runs') }));
    await one.flush();
    const [name = ''] = fs.readdirSync(place.runs);
    const file = path.join(place.runs, name);
    const said = fs.readFileSync(file, 'utf8');
    // As another server sees it that comes at just this moment.
    fs.truncateSync(file);
    await settleLost(place, Date.now());
    assert.deepEqual(await idsOf(), []);
    // As after a pause of the machine, seen from another one.
    fs.rmSync(file);
    clock.advance(30_000);
    await until(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8') === said);
    assert.deepEqual(await idsOf(), []);
    await one.close(true);
  });

  it('cannot be read, rather than that all is lost, while nobody can tell which servers run', async () => {
    const one = writer();
    one.write((name) => ({ kind: 'receipt', revision: 0, run: name, receipt: sampleReceipt('runs') }));
    await one.close(false);
    fs.renameSync(place.runs, `${place.runs}.away`);
    fs.writeFileSync(place.runs, 'no folder');
    await assert.rejects(read(), { code: 'ENOTDIR' });
  });

  it('calls no session lost if its server ends, or begins, while the file is read', () => {
    const known = (id: string, endedAt?: number) => ({
      revision: endedAt === undefined ? 0 : 1,
      run: `server of ${id}`,
      receipt: sampleReceipt(id, endedAt),
    });
    const before = [known('lost'), known('ends'), known('runs')];
    const runs = new Map([['server of runs', { runs: true } as const]]);
    const begun = [known('begins'), known('begins and ends', 3_000)];
    const after = [known('lost'), known('ends', 2_000), known('runs'), ...begun];
    const ends = endsKnown(before, runs, after).map(({ id, end }) => [id, end.kind, end.at]);
    assert.deepEqual(ends, [
      ['lost', 'lost', sampleReceipt('lost').startedAt],
      ['ends', 'exit', 2_000],
      ['begins and ends', 'exit', 3_000],
    ]);
  });

  it('keeps the newest ends, and sessions without an end', async () => {
    makeReceiptPlace(place);
    const ended = Array.from({ length: MOST_RECEIPTS + 5 }, (_, index) => sampleReceipt(`e${index}`, index));
    const all = [sampleReceipt('old'), ...ended];
    fs.writeFileSync(
      place.file,
      all.map((receipt) => `${receiptLine({ kind: 'receipt', revision: 1, run: 'x', receipt })}\n`).join(''),
    );
    await removeReceipts(place, ['e2004']);
    const times = (await read()).ended.map(({ end }) => end.at);
    assert.deepEqual([times.length, times[0], times.at(-1)], [MOST_RECEIPTS, 2_003, 5]);
    await compactReceipts(place, systemClock);
    assert.equal(fs.statSync(place.file).mode & 0o777, 0o600);
    const kept = linesOf().records.flatMap((record) =>
      record.kind === 'receipt' ? [record.receipt.id] : [],
    );
    assert.equal(kept.length, MOST_RECEIPTS);
    assert.ok(
      kept.includes('old') && kept.includes('e2003') && !kept.includes('e4') && !kept.includes('e2004'),
    );
  });

  it('has all that was there when a compaction was killed on its way', async () => {
    makeReceiptPlace(place);
    const line = (id: string) =>
      `${receiptLine({ kind: 'receipt', revision: 1, run: 'x', receipt: sampleReceipt(id, 2_000) })}\n`;
    fs.writeFileSync(place.file, line('new'));
    fs.writeFileSync(place.before, line('new') + line('late'));
    assert.deepEqual(await idsOf(), ['late', 'new']);
    await compactReceipts(place, systemClock);
    assert.equal(fs.existsSync(place.before), false);
    assert.deepEqual(await idsOf(), ['late', 'new']);
  });

  it('has the last word on a session, also after the lines that a killed compaction has left', async () => {
    makeReceiptPlace(place);
    const line = (revision: number, endedAt?: number) =>
      `${receiptLine({ kind: 'receipt', revision, run: 'x', receipt: sampleReceipt('a', endedAt) })}\n`;
    fs.writeFileSync(place.file, line(1, 2_000));
    fs.writeFileSync(place.before, line(0));
    await compactReceipts(place, systemClock);
    assert.deepEqual(
      (await read()).ended.map(({ end }) => end.kind),
      ['exit'],
    );
  });

  onLinux('is as before, and alone, when it cannot be compacted', async () => {
    makeReceiptPlace(place);
    await removeReceipts(place, ['a']);
    fs.symlinkSync('nowhere', place.before);
    await assert.rejects(compactReceipts(place, systemClock), /is a link: move it away$/);
    assert.equal(linesOf().records.length, 1);
    assert.deepEqual(
      fs.readdirSync(place.folder).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('is tried again when the disk takes it', async () => {
    fs.mkdirSync(path.dirname(place.folder), { recursive: true });
    fs.writeFileSync(place.folder, 'no folder');
    const one = writer();
    const write = (id: string) =>
      one.write((name) => ({ kind: 'receipt', revision: 1, run: name, receipt: sampleReceipt(id, 2_000) }));
    write('a');
    await one.flush();
    assert.equal(lines.length, 1);
    fs.rmSync(place.folder);
    write('b');
    await one.flush();
    assert.deepEqual(await idsOf(), ['a', 'b']);
    // A person has cleared up.
    fs.rmSync(place.folder, { recursive: true });
    write('c');
    await one.flush();
    write('d');
    await one.close(true);
    assert.deepEqual(await idsOf(), ['c', 'd']);
    assert.equal(lines.length, 2);
  });
});

describeDisks('The file of receipts on a disk of its own', () => {
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
    const script = '"$@" || exit; cat receipts/receipts.jsonl 2>/dev/null || true';
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

  it('has whole lines when that is full, which is said once and holds nobody up', async () => {
    const { stdout, stderr } = await runOn(':');
    assert.match(stderr, /^Receipts cannot be written to .*\n$/);
    const lines = stdout.replace('written\n', '');
    const { records, unreadable } = readReceiptLines(lines);
    assert.ok(records.length > 50 && records.length < 900, String(records.length));
    // The last one may have found half of its room.
    assert.ok(unreadable.length <= 1, unreadable.join());
  });

  it('gets no line when that can only be read, which is said once and holds nobody up', async () => {
    const { stdout, stderr } = await runOn('mount -o remount,ro "$PWD"');
    assert.match(stderr, /^Receipts cannot be written to .*\n$/);
    assert.equal(stdout, 'written\n');
  });
});
