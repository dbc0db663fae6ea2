import assert from 'node:assert/strict';

import {
  makeReceipt,
  type ProcessInfo,
  type Receipt,
  readReceiptLines,
  receiptLine,
} from '../../../src/core/index.js';

const info: ProcessInfo = {
  processId: 'p-1',
  argv: ['bash', '-c', 'make\nall'],
  cwd: '/work',
  tty: true,
  pipeStdin: false,
  state: 'closed',
  startedAt: 1_000,
  exitedAt: 2_000,
  exit: { exitCode: 143, signal: 'SIGTERM' },
  output: {
    bytes: 10,
    chunks: 2,
    retainedBytes: 6,
    evicted: { bytes: 4, chunks: 1, throughSeq: 1 },
    missing: { chunks: 0, bytes: 0 },
    lastSeq: 4,
  },
  metadata: {
    sessionId: 's-1',
    title: 'build',
    commandLine: 'make all',
    origin: { kind: 'agent', name: 'Codex' },
    agent: { number: 12, id: 'a', name: 'Codex' },
    endedBy: { kind: 'person', at: 5 },
  },
};
const facts = { host: 'here', steps: ['interrupt', 'terminate'], left: [] } as const;

function receiptOf(some: Partial<ProcessInfo>): Receipt {
  return makeReceipt({ ...info, ...some }, facts);
}

function lineOf(receipt: Receipt): string {
  return receiptLine({ kind: 'receipt', receipt });
}

describe('A receipt', () => {
  it('says what a process was, how it ended and who ended it, and reads as it was written', () => {
    const left = [{ pid: 7, startTime: '70', command: 'sleep' }];
    const leader = { pid: 6, startTime: '60' };
    const receipt = makeReceipt(info, { ...facts, left, leader, window: true });
    assert.deepEqual(receipt, {
      id: 'p-1',
      sessionId: 's-1',
      argv: ['bash', '-c', 'make\nall'],
      commandLine: 'make all',
      cwd: '/work',
      tty: true,
      title: 'build',
      origin: { kind: 'agent', name: 'Codex' },
      number: 12,
      leader,
      window: true,
      host: 'here',
      startedAt: 1_000,
      end: { kind: 'exit', at: 2_000, status: { exitCode: 143, signal: 'SIGTERM' } },
      endedBy: { kind: 'person' },
      steps: ['interrupt', 'terminate'],
      left,
      bytes: 10,
      evictedBytes: 4,
    });
    assert.deepEqual(readReceiptLines(`${lineOf(receipt)}\n`), [{ kind: 'receipt', receipt }]);
  });

  it('says whether more output could still come, and only then', () => {
    const open = receiptOf({ state: 'exited' });
    assert.equal(open.outputOpen, true);
    assert.deepEqual(
      readReceiptLines(lineOf(open)).map((record) => 'receipt' in record && record.receipt),
      [open],
    );
    assert.equal(receiptOf({}).outputOpen, undefined);
  });

  it('has no end while the process runs, whoever is about to end it', () => {
    const running: ProcessInfo = { ...info };
    Reflect.deleteProperty(running, 'exit');
    const receipt = makeReceipt(running, facts);
    assert.equal(receipt.end, undefined);
    assert.equal(receipt.endedBy, undefined);
    assert.deepEqual(readReceiptLines(lineOf(receipt)).length, 1);
  });

  it('names the agent whose signal ended it, and not one whose signal did not', () => {
    const signalledBy = { signal: 'SIGTERM', name: 'Codex', id: 'x' };
    const metadata = { signalledBy };
    assert.deepEqual(receiptOf({ metadata }).endedBy, { kind: 'agent', name: 'Codex', signal: 'SIGTERM' });
    assert.equal(receiptOf({ metadata, exit: { exitCode: 0 } }).endedBy, undefined);
  });

  it('says that a person has stopped it whose signal ended it', () => {
    const at = (info.exitedAt ?? 0) - 1;
    const metadata = { signalledBy: { kind: 'person', signal: 'SIGTERM', at } };
    assert.deepEqual(receiptOf({ metadata }).endedBy, { kind: 'person' });
    assert.equal(receiptOf({ metadata, exit: { exitCode: 1, signal: 'SIGHUP' } }).endedBy, undefined);
  });

  it('holds no variables and no secrets, also where one argument announces the next', () => {
    const argv = ['deploy', '--password', 'hunter2', 'TOKEN=abc\ndef', 'https://me:pw@host/'];
    const metadata = { commandLine: 'deploy --password hunter2' };
    const receipt = receiptOf({ argv, metadata });
    assert.deepEqual(receipt.argv, ['deploy', '--password', '***', 'TOKEN=***', 'https://me:***@host/']);
    assert.equal(receipt.commandLine, 'deploy --password ***');
    assert.equal(receipt.incomplete, true);
    assert.equal(receiptOf({}).incomplete, undefined);
  });

  it('masks the directory, the folder and the title too, before it cuts them', () => {
    const place = `/srv/${'a'.repeat(900)}/https://me:${'secret'.repeat(40)}@host`;
    const receipt = receiptOf({
      cwd: place,
      metadata: { folder: place, title: `https://me:${'x'.repeat(60)}@host` },
    });
    const masked = `/srv/${'a'.repeat(900)}/https://me:***@host`;
    assert.deepEqual([receipt.cwd, receipt.folder, receipt.title], [masked, masked, 'https://me:***@host']);
    assert.equal(receipt.incomplete, true);
  });

  it('fits a page, however long its texts are, and says that it is not all', () => {
    const long = 'ä"\\\u0001'.repeat(50_000);
    const receipt = receiptOf({
      argv: [long, long],
      cwd: long,
      metadata: {
        commandLine: long,
        title: long,
        folder: long,
        sessionId: long,
        origin: { kind: long, name: long },
      },
    });
    assert.ok(lineOf(receipt).length < 4_096, String(lineOf(receipt).length));
    assert.equal(receipt.incomplete, true);
  });

  it('says that it is not all if only its command line was cut, which is longer than the arguments in it', () => {
    const argv = ['echo', "'".repeat(900)];
    const { argv: kept, commandLine, incomplete } = receiptOf({ argv, metadata: {} });
    assert.deepEqual([kept, commandLine.length, incomplete], [argv, 1_000, true]);
  });

  it('has the sandbox of the process, and what that seems to have refused', () => {
    const sandbox = { places: [{ path: '/work', access: 'write' as const }], network: false };
    const exit = { exitCode: 1, refused: { file: '/srv/https://me:pw@host' } };
    const receipt = receiptOf({ sandbox, exit });
    assert.deepEqual(receipt.sandbox, sandbox);
    assert.deepEqual(receipt.end?.kind === 'exit' && receipt.end.status.refused, {
      file: '/srv/https://me:***@host',
    });
    const unnamed = receiptOf({ sandbox, exit: { exitCode: 1, refused: {} } });
    assert.deepEqual(readReceiptLines([receipt, unnamed].map(lineOf).join('\n')), [
      { kind: 'receipt', receipt },
      { kind: 'receipt', receipt: unnamed },
    ]);
  });

  it('is incomplete if a part of the sandbox is missing, so that nothing runs again in another one', () => {
    const sandboxOf = (...paths: readonly string[]) => ({
      places: paths.map((path) => ({ path, access: 'write' as const })),
      network: false,
    });
    const many = receiptOf({ sandbox: sandboxOf('/work', `/${'x'.repeat(2_000)}`) });
    assert.deepEqual([many.sandbox, many.incomplete], [sandboxOf('/work'), true]);
    assert.equal(receiptOf({ sandbox: sandboxOf('/https://me:pw@host') }).incomplete, true);
    const line = lineOf(receiptOf({ sandbox: sandboxOf('/work') }));
    for (const broken of [line.replace('"write"', '"all"'), line.replace('"network":false', '"network":0')]) {
      const [record] = readReceiptLines(broken);
      const read = record?.kind === 'receipt' ? record.receipt : assert.fail();
      assert.deepEqual([read.sandbox, read.incomplete], [undefined, true]);
    }
  });

  it('is passed over if its line was cut, is of a later version, or is something else', () => {
    const line = lineOf(receiptOf({}));
    const later = line.replace('{"v":1,', '{"v":2,');
    const foreign = [later, '{"v":1}', '[]', 'null', '{"v":1,"id":1}', line.slice(0, -1), line.slice(0, 1)];
    assert.deepEqual(readReceiptLines(foreign.join('\n')), []);
  });
});
