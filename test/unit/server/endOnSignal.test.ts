import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.resolve('test/support/endingProgram.ts');

describe('A program that ends on a signal', () => {
  let program: ChildProcess;
  let nextLine: () => Promise<string>;

  beforeEach(async () => {
    program = spawn(process.execPath, ['--import', 'tsx', PROGRAM], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    assert.ok(program.stdout);
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    nextLine = async () => {
      const line = await lines.next();
      return line.done === true ? 'the end' : line.value;
    };
    assert.equal(await nextLine(), 'ready');
  });
  afterEach(async () => {
    if (program.exitCode !== null || program.signalCode !== null) return;
    program.kill('SIGKILL');
    await once(program, 'exit');
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`begins to end at the first ${signal}, and exits at the second`, async () => {
      program.kill(signal);
      assert.deepEqual([await nextLine(), await nextLine()], ['ending', `heard ${signal}`]);
      program.kill(signal);
      assert.deepEqual([await nextLine(), await nextLine()], ['exit 0', 'the end']);
    });
  }

  it('goes on ending at other signals, and begins only once', async () => {
    program.kill('SIGTERM');
    assert.deepEqual([await nextLine(), await nextLine()], ['ending', 'heard SIGTERM']);
    program.kill('SIGINT');
    assert.equal(await nextLine(), 'heard SIGINT');
    program.kill('SIGHUP');
    assert.equal(await nextLine(), 'heard SIGHUP');
    program.kill('SIGINT');
    assert.equal(await nextLine(), 'exit 0');
  });

  it('exits at the second signal also if it began to end without one', async () => {
    program.stdin?.write('end');
    assert.equal(await nextLine(), 'ending');
    program.kill('SIGTERM');
    assert.equal(await nextLine(), 'heard SIGTERM');
    program.kill('SIGTERM');
    assert.equal(await nextLine(), 'exit 0');
  });
});
