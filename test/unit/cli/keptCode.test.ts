import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import { loadKept } from '../../../src/cli/keptCode.js';

describe('kept code', () => {
  let folder: string;
  let program: string;
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-code-')));
    fs.chmodSync(folder, 0o700);
    program = path.join(folder, 'program.js');
    writeProgram('one');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const writeProgram = (answer: string) =>
    fs.writeFileSync(
      program,
      `exports.answer = () => '${answer} ' + require('node:path').basename(__dirname);`,
    );
  const run = (some: { readonly folder?: string; readonly use?: string | undefined } = {}) => {
    const { exports, keep } = loadKept(program, {
      folder,
      use: 'run',
      load: createRequire(program),
      ...some,
    });
    const answer = (exports as { readonly answer: () => string }).answer();
    keep();
    return answer.split(' ')[0];
  };
  const kept = () => fs.readdirSync(folder).filter((name) => name.startsWith('code-'));
  const file = () => path.join(folder, kept()[0] ?? assert.fail('Nothing is kept.'));
  /** A kept file that has been used stays; one that has not been is another one afterwards. */
  const isUsed = () => {
    const before = fs.statSync(file(), { bigint: true });
    // The number of a removed file may be given out again at once.
    const held = fs.openSync(file(), 'r');
    assert.equal(run(), 'one');
    const after = fs.statSync(file(), { bigint: true });
    fs.closeSync(held);
    return before.ino === after.ino;
  };

  it('is used the next time, and is for its owner alone', () => {
    assert.equal(run(), 'one');
    assert.equal(isUsed(), true);
    assert.equal(fs.statSync(file()).mode & 0o777, 0o600);
    assert.deepEqual(
      fs.readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('is of one use, and none without', () => {
    run();
    run({ use: 'ls' });
    run({ use: undefined });
    assert.equal(kept().length, 2);
  });

  it('is of one set of options of V8', () => {
    run();
    const options = process.env['NODE_OPTIONS'];
    process.env['NODE_OPTIONS'] = '--jitless';
    try {
      run();
    } finally {
      if (options === undefined) {
        delete process.env['NODE_OPTIONS'];
      } else {
        process.env['NODE_OPTIONS'] = options;
      }
    }
    assert.equal(kept().length, 2);
  });

  it('is not used for another program of the same length', () => {
    run();
    writeProgram('two');
    assert.equal(run(), 'two');
    assert.equal(run(), 'two');
    assert.equal(kept().length, 1);
  });

  it('is made again if it is damaged, wherever that is', () => {
    run();
    const whole = fs.readFileSync(file());
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 50)) {
      const damaged = Buffer.from(whole);
      damaged[at] = ~(damaged[at] ?? 0);
      fs.writeFileSync(file(), damaged);
      assert.equal(isUsed(), false, `byte ${at}`);
      assert.equal(isUsed(), true, `after byte ${at}`);
    }
    for (const bytes of [0, 1, 31, 32, 33, whole.length - 1]) {
      fs.truncateSync(file(), bytes);
      assert.equal(isUsed(), false, `${bytes} bytes`);
    }
  });

  it('is neither used nor made where others can write', () => {
    run();
    fs.chmodSync(file(), 0o622);
    assert.equal(isUsed(), false);
    fs.chmodSync(folder, 0o777);
    assert.equal(run(), 'one');
    fs.rmSync(file());
    assert.equal(run(), 'one');
    assert.deepEqual(kept(), []);
  });

  it('does not need its folder', () => {
    const missing = path.join(folder, 'missing');
    assert.equal(run({ folder: missing }), 'one');
    assert.equal(fs.existsSync(missing), false);
  });
});
