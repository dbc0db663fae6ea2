import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { runCommand } from '../../rig/commands.js';
import { judge, readLines, slowest } from '../../rig/results.js';

describe('A run of tests', () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-reporter-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  async function run(tests: string) {
    const file = path.join(folder, 'some.test.cjs');
    const resultFile = path.join(folder, 'results');
    const output = fs.openSync(path.join(folder, 'output'), 'w');
    fs.writeFileSync(file, tests);
    const options = [
      '--no-config',
      '--reporter',
      'test/rig/reporter.cjs',
      '--reporter-option',
      'lingerMs=50',
    ];
    const exitCode = await runCommand(process.execPath, ['node_modules/mocha/bin/_mocha', ...options, file], {
      output,
      env: { ...process.env, EXEC_SESSIONS_RESULT: resultFile },
    });
    fs.closeSync(output);
    const { times = [], ...results } = judge(readLines(resultFile), exitCode);
    return { ...results, timed: times.map(({ title }) => title), exitCode };
  }

  it('that ends by itself has passed', async () => {
    assert.deepEqual(await run(`beforeEach(() => {}); it('passes', () => {});`), {
      passed: 1,
      failed: 0,
      failures: [],
      timed: ['"before each" hook for "passes"', 'passes'],
      exitCode: 0,
    });
  });

  it('that does not end by itself is ended, and has failed', async () => {
    const { exitCode, failed, problem } = await run(`it('passes', () => void setInterval(() => {}, 5));`);
    assert.deepEqual([exitCode, failed], [1, 1]);
    assert.equal(problem, 'all tests passed, but something that they left held their program: Timeout');
  });

  it('that does not end by itself because a test has failed is ended, and names that test', async () => {
    const { exitCode, failed, problem, failures } = await run(
      `it('fails', () => { setInterval(() => {}, 5); throw new Error('why'); });`,
    );
    assert.deepEqual([exitCode, failed, problem], [1, 1, undefined]);
    assert.match(failures?.[0] ?? '', /^fails\nError: why/);
  });
});

describe('The results of a run', () => {
  it('say during which test it broke off, or after which', () => {
    const started = { event: 'start', title: 'it works' } as const;
    const over = { event: 'passed', title: 'it works', ms: 3 } as const;
    assert.equal(judge([started], 1).problem, 'it broke off during "it works"');
    assert.equal(judge([started, over], 1).problem, 'it broke off after "it works"');
    assert.equal(judge([], 1).problem, 'it did not run');
  });

  it('have the ten slowest, the slowest first', () => {
    const times = Array.from({ length: 20 }, (_, ms) => ({ title: `test ${ms}`, ms }));
    const found = slowest(times);
    assert.equal(found.length, 10);
    assert.deepEqual([found[0]?.ms, found.at(-1)?.ms], [19, 10]);
  });
});
