import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { type KeptOutput, systemClock } from '../../../../src/core/index.js';
import { OutputFolder, readSegments, Segment } from '../../../../src/machine/index.js';
import { OutputFile } from '../../../../src/server/outputFiles/outputFile.js';

const MIB = 1024 * 1024;
const ALL = Number.MAX_SAFE_INTEGER;
const RUN = randomUUID();

describe('A file with output', () => {
  let folder: string;
  let failures: unknown[];
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-out-'));
    failures = [];
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const make = (mostBytes = 20 * MIB, wallTime = () => Date.now()) => {
    let files = 0;
    return new OutputFile({
      nextFile: () => path.join(folder, `${RUN}.p.${files++}.output`),
      mostBytes: () => mostBytes,
      clock: { ...systemClock, wallTime },
      onWritten: () => undefined,
      onFailure: (error) => failures.push(error),
    });
  };
  const print = (file: OutputFile, seq: number, text: string) =>
    file.append({ type: 'output', seq, stream: 'stdout', bytes: Buffer.from(text) });
  const textOf = ({ chunks }: KeptOutput) =>
    chunks.map(({ bytes }) => Buffer.from(bytes).toString()).join('');
  const seqsOf = ({ chunks }: KeptOutput) => chunks.map(({ seq }) => seq);
  const loaded = async () => {
    const names = fs.readdirSync(folder).sort();
    const found = await Promise.all(names.map((name) => Segment.load(path.join(folder, name))));
    return found.flatMap((segment) => segment ?? []);
  };

  it('has what was printed until now, with its numbers and streams', async () => {
    const file = make();
    print(file, 1, 'one');
    file.append({ type: 'output', seq: 2, stream: 'stderr', bytes: Buffer.from('two') });
    assert.deepEqual(
      (await file.read(0, ALL)).chunks.map(({ seq, stream }) => [seq, stream]),
      [
        [1, 'stdout'],
        [2, 'stderr'],
      ],
    );
    print(file, 4, 'four');
    assert.equal(textOf(await file.read(1, ALL)), 'twofour');
    assert.deepEqual(await file.read(4, ALL), { chunks: [], missing: [] });
    await file.end();
    assert.equal(textOf(await file.read(0, ALL)), 'onetwofour');
  });

  it('belongs to its owner alone', async () => {
    const file = make();
    print(file, 1, 'secret');
    await file.end();
    assert.deepEqual(
      fs.readdirSync(folder).map((name) => [name, fs.statSync(path.join(folder, name)).mode & 0o777]),
      [[`${RUN}.p.0.output`, 0o600]],
    );
  });

  it('copies chunks that are only lent', async () => {
    const file = make();
    const lent = Buffer.from('before');
    file.append({ type: 'output', seq: 1, stream: 'pty', bytes: lent });
    lent.fill('x');
    assert.equal(textOf(await file.read(0, ALL)), 'before');
    await file.end();
  });

  it('gives pages that fit together, the first chunk of each whatever its size', async () => {
    const file = make(MIB);
    // Small ones between large ones, also where one file ends and the next one begins.
    const sizes = Array.from(
      { length: 600 },
      (_, index) => (index % 2 === 0 ? 10 : (index * 7919) % 4_000) + 1,
    );
    for (const [index, size] of sizes.entries()) {
      print(file, index + 1, 'x'.repeat(size));
      if (index % 50 === 0) {
        await file.read(0, 1);
      }
    }
    for (let most = 3_000; most < 12_000; most += 900) {
      const seqs: number[] = [];
      for (let page = await file.read(0, most); page.chunks.length > 0;) {
        const bytes = textOf(page).length;
        assert.ok(page.chunks.length === 1 || bytes <= most, `${bytes} of ${most}`);
        seqs.push(...seqsOf(page));
        page = await file.read(seqs.at(-1) ?? 0, most);
      }
      assert.deepEqual(
        seqs,
        sizes.map((_, index) => index + 1),
        `in pages of ${most}`,
      );
    }
    await file.end();
    assert.ok(fs.readdirSync(folder).length > 1);
  });

  it('keeps the newest within its limit, and says how much came before', async () => {
    const file = make(MIB);
    let printed = 0;
    for (let seq = 1; seq <= 400; seq += 1) {
      print(file, seq, 'y'.repeat(10_000));
      printed += 10_000;
      if (seq % 20 === 0) {
        await file.read(0, 1);
        assert.ok(file.size <= MIB, `${file.size} bytes after ${seq}`);
      }
    }
    const kept = await file.read(0, ALL);
    const bytes = textOf(kept).length;
    assert.ok(bytes > MIB / 4, `${bytes} bytes are left`);
    const [first = 0] = seqsOf(kept);
    assert.deepEqual(kept.missing, [
      { fromSeq: 1, throughSeq: first - 1, chunks: first - 1, bytes: printed - bytes },
    ]);
    assert.deepEqual(
      seqsOf(kept),
      Array.from({ length: 401 - first }, (_, index) => first + index),
    );
    const paged: number[] = [];
    for (let page = await file.read(0, 35_000); page.chunks.length > 0;) {
      assert.ok(textOf(page).length <= 35_000);
      paged.push(...seqsOf(page));
      page = await file.read(paged.at(-1) ?? 0, 35_000);
    }
    assert.deepEqual(paged, seqsOf(kept), 'pages go on from one file to the next');
    const { missing } = await file.read(7, ALL);
    assert.deepEqual(missing, [{ fromSeq: 8, throughSeq: first - 1, chunks: first - 8 }]);
    await file.end();
    assert.equal(fs.readdirSync(folder).length, 2);
  });

  it('leaves out what comes faster than it can be written, and says where', async () => {
    const file = make();
    // In one turn nothing can be written.
    for (let seq = 1; seq <= 100; seq += 1) {
      print(file, seq, 'z'.repeat(64 * 1024));
    }
    const before = await file.read(0, ALL);
    const last = seqsOf(before).at(-1) ?? 0;
    assert.ok(last > 10 && last < 100, `up to ${last}`);
    const gap = { fromSeq: last + 1, throughSeq: 100, chunks: 100 - last, bytes: (100 - last) * 64 * 1024 };
    assert.deepEqual(await file.read(last, ALL), { chunks: [], missing: [gap] }, 'at once');
    print(file, 101, 'later');
    const after = await file.read(last, ALL);
    assert.deepEqual(after.missing, [gap]);
    assert.equal(textOf(after), 'later');
    await file.end();
  });

  it('has each byte of what it has kept, be it in many pieces or in a large one, up to its end', async () => {
    const file = make();
    let printed = '';
    const say = (seq: number, bytes: number) => {
      const text = Array.from({ length: bytes / 8 }, (_, index) => `${seq}.${index}`.padEnd(8, '-')).join('');
      printed += text;
      print(file, seq, text);
    };
    // In two rounds, so that memory is used again; the last one is written by the end.
    for (let seq = 1; seq <= 40; seq += 1) {
      say(seq, 40_000);
    }
    assert.ok(textOf(await file.read(0, ALL)) === printed);
    say(41, 600_000);
    await file.read(41, 1);
    for (let seq = 42; seq <= 70; seq += 1) {
      say(seq, 40_000);
    }
    await file.end();
    assert.ok(textOf(await file.read(0, ALL)) === printed);
    assert.ok(textOf(await readSegments(await loaded(), { afterSeq: 0, maxBytes: ALL })) === printed);
  });

  it('has the gap with which it began', async () => {
    const file = make();
    file.append({ type: 'gap', fromSeq: 1, throughSeq: 9, chunks: 9, bytes: 90 });
    file.append({ type: 'gap', fromSeq: 10, throughSeq: 11, chunks: 2 });
    print(file, 12, 'twelve');
    assert.deepEqual((await file.read(0, ALL)).missing, [
      { fromSeq: 1, throughSeq: 9, chunks: 9, bytes: 90 },
      { fromSeq: 10, throughSeq: 11, chunks: 2 },
    ]);
    await file.end();
  });

  it('knows what came before a time, also to another program', async () => {
    let now = 5_000;
    const file = make(MIB, () => now);
    // In two files; the older one has been replaced once.
    for (let seq = 1; seq <= 200; seq += 1, now += 10) {
      print(file, seq, 't'.repeat(8_000));
      await file.read(seq, 1);
    }
    await file.end();
    const outputs = new OutputFolder(folder);
    const [first = 0] = seqsOf(await outputs.read('p', { afterSeq: 0, maxBytes: 1 }));
    assert.ok(first > 1 && first < 190);
    const timeOf = (seq: number) => 5_000 + (seq - 1) * 10;
    const asked = [timeOf(first), timeOf(first) + 1, timeOf(first + 3), timeOf(199) + 1, now];
    const before = await Promise.all(asked.map((time) => outputs.seqBefore('p', time)));
    assert.deepEqual(before, [0, first, first + 2, 199, 200]);
  });

  it('is empty after a restart, and goes on', async () => {
    const file = make();
    print(file, 1, 'one');
    await file.read(0, ALL);
    await file.restart();
    assert.equal(file.size, 0);
    print(file, 2, 'two');
    const kept = await file.read(0, ALL);
    assert.equal(textOf(kept), 'two');
    assert.deepEqual(kept.missing, [{ fromSeq: 1, throughSeq: 1, chunks: 1, bytes: 3 }]);
    await file.end();
    await file.remove();
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('ends with one failure, and what was written can be read', async () => {
    const file = make(MIB);
    print(file, 1, 'one');
    await file.read(0, ALL);
    fs.rmSync(folder, { recursive: true });
    for (let seq = 2; seq <= 200; seq += 1) {
      print(file, seq, 'w'.repeat(10_000));
      await file.read(seq, 1);
    }
    assert.deepEqual(
      failures.map((error) => (error as NodeJS.ErrnoException).code),
      ['ENOENT'],
    );
    await file.end();
    fs.mkdirSync(folder);
  });

  describe('whose closing fails', () => {
    const closeSegment = Object.getOwnPropertyDescriptor(Segment.prototype, 'close') ?? {};
    const appendBatch = Object.getOwnPropertyDescriptor(Segment.prototype, 'append') ?? {};
    const fails = (method: 'append' | 'close') =>
      Object.defineProperty(Segment.prototype, method, { value: () => Promise.reject(new Error(method)) });
    afterEach(() => {
      Object.defineProperty(Segment.prototype, 'append', appendBatch);
      Object.defineProperty(Segment.prototype, 'close', closeSegment);
    });
    const messages = () => failures.map((error) => (error as Error).message);

    it('tells of the failure to write before it', async () => {
      const file = make();
      print(file, 1, 'one');
      await file.read(0, ALL);
      fails('append');
      fails('close');
      print(file, 2, 'two');
      await file.read(0, ALL).catch(() => undefined);
      assert.deepEqual(messages(), ['append']);
      Object.defineProperty(Segment.prototype, 'close', closeSegment);
      await file.remove();
    });

    it('tells so at its end', async () => {
      const file = make();
      print(file, 1, 'one');
      await file.read(0, ALL);
      fails('close');
      await file.end();
      assert.deepEqual(messages(), ['close']);
      Object.defineProperty(Segment.prototype, 'close', closeSegment);
      await file.remove();
    });
  });

  it('can be read by another program up to where its writer was killed', async () => {
    const file = make(MIB);
    for (let seq = 1; seq <= 90; seq += 1) {
      print(file, seq, `${seq} ${'v'.repeat(10_000)}\n`);
      await file.read(seq, 1);
    }
    await file.end();
    const whole = await file.read(0, ALL);
    assert.deepEqual(await readSegments(await loaded(), { afterSeq: 0, maxBytes: ALL }), whole);
    assert.deepEqual(await new OutputFolder(folder).read('p', { afterSeq: 0, maxBytes: ALL }), whole);
    const newest = path.join(folder, fs.readdirSync(folder).sort().at(-1) ?? '');
    const content = fs.readFileSync(newest);
    // Whatever is cut off, whole chunks are left, in order.
    for (let length = content.length; length > content.length - 22_000; length -= 997) {
      fs.truncateSync(newest, length);
      const seqs = seqsOf(await readSegments(await loaded(), { afterSeq: 0, maxBytes: ALL }));
      const expected = seqsOf(whole).slice(0, seqs.length);
      assert.deepEqual(seqs, expected);
      assert.ok(seqs.length >= seqsOf(whole).length - 3, `${seqs.length} of ${seqsOf(whole).length}`);
    }
    // A file system may leave zeros in a file after a crash of the machine: here all of the last chunk, and more.
    fs.writeFileSync(
      newest,
      Buffer.concat([content.subarray(0, content.length - 12_000), Buffer.alloc(12_000)]),
    );
    const left = await readSegments(await loaded(), { afterSeq: 0, maxBytes: ALL });
    assert.deepEqual(seqsOf(left), seqsOf(whole).slice(0, -1));
    assert.deepEqual(left.missing, whole.missing);
    fs.writeFileSync(newest, 'something else');
    assert.equal((await loaded()).length, 1);
  });
});
