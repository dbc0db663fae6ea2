import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { systemClock } from '../../../src/core/index.js';
import { claimFile, versionOf } from '../../../src/machine/fileClaim.js';
import { FakeClock } from '../../support/fakeClock.js';

describe('A claim on a file', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-claim-'));
    file = path.join(folder, 'file');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const replace = (content: string) => {
    fs.writeFileSync(`${file}.new`, content);
    fs.renameSync(`${file}.new`, file);
  };
  const claimOf = (owner: unknown) => {
    const claim = path.join(folder, `.file.${versionOf(file) || 'none'}.claim`);
    fs.writeFileSync(claim, JSON.stringify(owner));
    return claim;
  };
  /** The pid of a process that has ended, and that no other process has yet. */
  const dead = () => ({ pid: spawnSync('true').pid, startTime: '1' });

  it('is held by one process at a time, and each gets its turn', async () => {
    let inside = 0;
    const order: string[] = [];
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    await Promise.all(
      names.map((name) =>
        claimFile(file, systemClock, async () => {
          inside += 1;
          assert.equal(inside, 1);
          await new Promise((resolve) => setImmediate(resolve));
          replace(name);
          order.push(name);
          inside -= 1;
        }),
      ),
    );
    assert.deepEqual([...order].sort(), [...names].sort());
    assert.equal(fs.readFileSync(file, 'utf8'), order.at(-1));
    assert.deepEqual(fs.readdirSync(folder), ['file']);
  });

  it('of a process that has ended is taken over, by one after the other', async () => {
    claimOf(dead());
    let inside = 0;
    await Promise.all(
      [1, 2, 3, 4].map(() =>
        claimFile(file, systemClock, async () => {
          inside += 1;
          assert.equal(inside, 1);
          await new Promise((resolve) => setImmediate(resolve));
          inside -= 1;
        }),
      ),
    );
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('that makes no sense is taken over', async () => {
    fs.writeFileSync(claimOf(1), '{"pid":');
    assert.equal(await claimFile(file, systemClock, () => Promise.resolve('mine')), 'mine');
  });

  it('is taken over if its process number belongs to a newer process', async () => {
    claimOf({ pid: process.pid, startTime: 'long ago' });
    assert.equal(await claimFile(file, systemClock, () => Promise.resolve('mine')), 'mine');
  });

  it('that lasts too long is an error that says what to do', async () => {
    const claim = claimOf({ pid: process.pid });
    const clock = new FakeClock();
    const waiting = assert.rejects(
      claimFile(file, clock, () => Promise.resolve()),
      (error: Error) => error.message.includes(`If no such server runs, remove ${claim}`),
    );
    const pump = setInterval(() => clock.advance(1_000), 1);
    await waiting;
    clearInterval(pump);
  });

  it('is given back when what it was for fails', async () => {
    await assert.rejects(
      claimFile(file, systemClock, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.deepEqual(fs.readdirSync(folder), []);
  });
});
