import assert from 'node:assert/strict';

import { costsFromProc, costsFromPs, parseCosts } from '../../../src/local/usage.js';
import { describeOnLinux } from '../../support/onLinux.js';

const NO_PROCESS = 2 ** 30;

describe('The usage of processes, from ps', () => {
  it('is read in all the forms of its times', () => {
    // The first three as macOS prints them, the others as Linux does.
    const text = `  0:00.52   1024
 12:34.56    8
  1:00:00.00 16
  00:00:41  14364
 1-02:03:04 0
`;
    assert.deepEqual(parseCosts(text), [
      { cpuSeconds: 0.52, memoryBytes: 1024 * 1024 },
      { cpuSeconds: 754.56, memoryBytes: 8 * 1024 },
      { cpuSeconds: 3600, memoryBytes: 16 * 1024 },
      { cpuSeconds: 41, memoryBytes: 14364 * 1024 },
      { cpuSeconds: 93784, memoryBytes: 0 },
    ]);
    assert.deepEqual(parseCosts('ps: no such thing\n'), []);
  });

  it('is that of the processes that are there', async () => {
    const [own, ...more] = await costsFromPs([process.pid, NO_PROCESS]);
    assert.deepEqual(more, []);
    assert.ok((own?.memoryBytes ?? 0) > 1024 * 1024);
    assert.deepEqual(await costsFromPs([NO_PROCESS]), []);
  });
});

describeOnLinux('The usage of processes, from /proc', () => {
  it('is that of the processes that are there, as Node knows it of itself', () => {
    const before = process.cpuUsage();
    const [own, ...more] = costsFromProc([process.pid, NO_PROCESS]);
    const after = process.cpuUsage();
    assert.deepEqual(more, []);
    // Linux counts in hundredths of a second; children that ended count here and not there.
    assert.ok((own?.cpuSeconds ?? 0) > (before.user + before.system) / 1e6 - 0.1);
    assert.ok((own?.memoryBytes ?? 0) > 1024 * 1024);
    assert.ok(after.user >= before.user);
  });
});
