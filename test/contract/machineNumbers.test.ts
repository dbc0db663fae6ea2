import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { MachineNumbers } from '../../src/local/index.js';
import { removeFolder } from '../rig/lifetime.js';

const run = promisify(execFile);
const PROGRAM = path.join(import.meta.dirname, 'numberProgram.ts');

describe('The numbers of sessions', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-numbers-'));
  });

  afterEach(() => {
    removeFolder(folder);
  });

  const take = async (numbers: MachineNumbers, count: number) => {
    const taken: number[] = [];
    for (let left = count; left > 0; left--) {
      taken.push(await numbers.next());
    }
    return taken;
  };

  /** Takes numbers in a program of its own. */
  const takeElsewhere = async (count: number) => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', PROGRAM, folder, String(count)]);
    return stdout.trim().split('\n').map(Number);
  };

  it('are given out once, however many programs ask at the same time', async () => {
    const programs = await Promise.all([
      ...[1, 2].map(() => takeElsewhere(200)),
      ...[1, 2].map(() => take(new MachineNumbers(folder), 200)),
    ]);
    const all = programs.flat();
    assert.equal(all.length, 4 * 200);
    assert.equal(new Set(all).size, all.length);
    assert.ok(
      all.every((number) => number >= 1_000 && number < 10_000),
      String(all),
    );
  });

  it('follow each other within a program, also for calls at the same time', async () => {
    const numbers = new MachineNumbers(folder);
    const taken = await Promise.all(Array.from({ length: 25 }, () => numbers.next()));
    const first = taken[0] ?? 0;
    assert.deepEqual(
      taken,
      Array.from({ length: 25 }, (_, index) => first + index),
    );
  });

  it('are not given out again after old claims are removed', async () => {
    const numbers = new MachineNumbers(folder);
    const taken = await take(numbers, 15_000);
    assert.equal(new Set(taken).size, taken.length);
    // A program that comes later goes on after the newest number.
    const [next = 0] = await take(new MachineNumbers(folder), 1);
    assert.equal(next, Math.max(...taken) + 1);
    assert.ok(fs.readdirSync(folder).length < 1_100);
  });

  it('that are claimed late are given up', async () => {
    const claimed = fs.promises.readdir;
    const late = new MachineNumbers(folder);
    fs.writeFileSync(path.join(folder, '200'), '');
    // Its first look is out of date by the time of its claim.
    let looks = 0;
    fs.promises.readdir = (async (...given: Parameters<typeof claimed>) => {
      const seen = await claimed(...given);
      if ((looks += 1) === 1) {
        fs.writeFileSync(path.join(folder, '1300'), '');
      }
      return seen;
    }) as unknown as typeof claimed;
    try {
      assert.equal(await late.next(), 13_010);
    } finally {
      fs.promises.readdir = claimed;
    }
    assert.ok(!fs.existsSync(path.join(folder, '201')));
  });

  it('tell whose they are', async () => {
    const numbers = new MachineNumbers(folder);
    const [own = 0] = await take(numbers, 1);
    const [ended = 0] = await takeElsewhere(1);
    const [running = 0] = await take(new MachineNumbers(folder), 1);
    assert.deepEqual(
      [own, own + 1, ended, running, 1].map((number) => numbers.originOf(number)),
      [
        { kind: 'own' },
        { kind: 'unknown' },
        { kind: 'ended' },
        { kind: 'running', pid: process.pid },
        { kind: 'unknown' },
      ],
    );
  });

  it('count as those of an ended program once another one has its process number', async () => {
    const numbers = new MachineNumbers(folder);
    await take(numbers, 1);
    const [own = ''] = fs.readdirSync(folder);
    const [pid, startTime, namespace] = fs.readFileSync(path.join(folder, own), 'utf8').split(' ');
    fs.writeFileSync(path.join(folder, '77'), `${pid} ${startTime} ${namespace}`);
    assert.deepEqual(numbers.originOf(770), { kind: 'running', pid: process.pid });
    if (process.platform === 'linux') {
      // Elsewhere start times are not known.
      fs.writeFileSync(path.join(folder, '77'), `${pid} ${Number(startTime) - 1} ${namespace}`);
      assert.deepEqual(numbers.originOf(770), { kind: 'ended' });
    }
  });

  it('of another machine or container with the same home are not said to be of an ended program', async () => {
    const numbers = new MachineNumbers(folder);
    await take(numbers, 1);
    const [own = ''] = fs.readdirSync(folder);
    const claim = fs.readFileSync(path.join(folder, own), 'utf8');
    fs.writeFileSync(path.join(folder, '77'), `${claim}0`);
    assert.deepEqual(numbers.originOf(770), { kind: 'elsewhere' });
  });

  it('need no folder above theirs, and are not looked for in the working directory', async () => {
    const takeAt = async (HOME: string) => {
      const argv = ['--import', createRequire(PROGRAM).resolve('tsx'), PROGRAM];
      const env = { ...process.env, HOME, XDG_STATE_HOME: '' };
      const { stdout } = await run(process.execPath, argv, { cwd: folder, env, timeout: 30_000 });
      return Number(stdout);
    };
    const home = path.join(folder, 'not', 'there');
    assert.ok((await takeAt(home)) < 10_000);
    assert.deepEqual(fs.readdirSync(path.join(home, '.local/state/exec-sessions')), ['session-numbers']);
    if (process.platform === 'linux') {
      // No folder can be made there, and the kernel reports a missing parent: Node tries for ever to make it.
      assert.ok((await takeAt('/proc/nobody')) >= 100_000_000);
      await takeAt('');
      assert.deepEqual(fs.readdirSync(folder), ['not']);
    }
  });

  it('are long and random where there is no folder for claims', async () => {
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    const taken = await take(new MachineNumbers(path.join(file, 'claims')), 10);
    assert.ok(
      taken.every((number) => number >= 100_000_000),
      String(taken),
    );
    assert.equal(new Set(taken).size, 10);
  });
});
