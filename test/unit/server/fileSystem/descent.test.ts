import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Descent } from '../../../../src/server/methods/fileSystem/descent.js';
import { PLACES_AT_ONCE } from '../../../../src/server/methods/fileSystem/limits.js';
import { describeOnLinux } from '../../../support/onLinux.js';

const LEVELS = 3 * PLACES_AT_ONCE;

describeOnLinux('The way down into directories', () => {
  let folder: string;
  let descent: Descent;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-descent-')));
    fs.mkdirSync(level(LEVELS), { recursive: true });
    descent = new Descent();
  });
  afterEach(async () => {
    await descent.end();
    fs.rmSync(folder, { recursive: true });
  });

  const level = (depth: number) => path.join(folder, ...Array.from({ length: depth }, () => 'd'));
  const where = () => fs.readlinkSync(descent.here);
  const openInside = () =>
    fs.readdirSync('/proc/self/fd').filter((descriptor) => leadsInto(folder, descriptor)).length;

  async function goDown(): Promise<void> {
    await descent.enter(folder);
    for (let depth = 0; depth < LEVELS; depth += 1) await descent.enter(path.join(String(descent.here), 'd'));
  }

  it('keeps few of them open, and finds the others again', async () => {
    await goDown();
    assert.equal(where(), level(LEVELS));
    assert.equal(openInside(), PLACES_AT_ONCE);
    for (let depth = LEVELS - 1; depth >= 0; depth -= 1) {
      await descent.leave();
      assert.equal(where(), level(depth));
    }
    await descent.end();
    assert.equal(openInside(), 0);
  });

  it('does not lead elsewhere if one of them is moved meanwhile', async () => {
    await goDown();
    const moved = path.join(folder, 'moved');
    fs.renameSync(level(2), moved);
    for (let depth = LEVELS - 1; depth >= 2; depth -= 1) await descent.leave();
    assert.equal(where(), moved);
    await assert.rejects(descent.leave(), /a directory was moved while it was being removed/);
    await descent.end();
    assert.equal(openInside(), 0);
  });
});

function leadsInto(folder: string, descriptor: string): boolean {
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
  } catch {
    return false; // The list names its own descriptor, which is closed by now.
  }
}
