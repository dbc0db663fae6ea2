import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { faultLimit } from '../../../src/server/programEnd.js';
import { FakeClock } from '../../support/fakeClock.js';

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

const MAIN = path.resolve('src/server/main.ts');
const FAULTY = 'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("faulty")})';

describe('Unexpected faults', () => {
  it('end the program once, at the fourth within a minute', () => {
    const clock = new FakeClock();
    const lines: string[] = [];
    const fault = faultLimit(
      clock,
      (line) => lines.push(line.split('\n')[0] ?? ''),
      () => lines.push('end'),
    );
    for (const waitMs of [0, 30_000, 0, 30_000, 0, 1_000]) {
      clock.advance(waitMs);
      fault(new Error(String(clock.now())));
    }
    assert.deepEqual(lines, [
      ...['0', '30000', '30000', '60000', '60000'].map((at) => `Unexpected fault: Error: ${at}`),
      'This program ends: 4 unexpected faults within a minute.',
      'end',
    ]);
  });

  it('end exec-server mcp in order', async () => {
    const program = spawn(process.execPath, ['--import', 'tsx', '--import', FAULTY, MAIN, 'mcp'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const exited = once(program, 'exit');
    try {
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
      await once(program.stdout, 'data');
      const faults: string[] = [];
      program.kill('SIGUSR2');
      for await (const line of createInterface({ input: program.stderr })) {
        if (line.startsWith('Unexpected fault')) {
          faults.push('fault');
          assert.ok(faults.length < 5, 'it goes on');
          program.kill('SIGUSR2');
        } else if (line.startsWith('This program ends')) {
          faults.push('end');
        }
      }
      assert.deepEqual(faults, ['fault', 'fault', 'fault', 'fault', 'end']);
      assert.deepEqual(await exited, [0, null]);
    } finally {
      program.kill('SIGKILL');
    }
  });
});
