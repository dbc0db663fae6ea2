import assert from 'node:assert/strict';

import { isNeeded } from '../../../../src/local/ports/localPorts.js';
import { onLinux } from '../../../support/onLinux.js';

describe('A process that listens at a port', () => {
  onLinux('is needed if it is this one, an ancestor, or another child of the parent', () => {
    const { pid, ppid } = process;
    const needed = [
      { pid: 1, ppid: 0 },
      { pid, ppid },
      { pid: ppid, ppid: 1 },
      { pid: 4_000_000, ppid },
    ];
    const others = [
      { pid: 4_000_000, ppid: pid },
      { pid: 4_000_000, ppid: 1 },
    ];
    assert.deepEqual([...needed, ...others].map(isNeeded), [true, true, true, true, false, false]);
  });
});
