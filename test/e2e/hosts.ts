import assert from 'node:assert/strict';
import fs from 'node:fs';

import { listProcesses } from '../../src/local/marks/processTable.js';

/** The extension host of the VS Code with this marker. VS Code starts another one if it ends. */
export async function extensionHost(marker: string): Promise<number> {
  const [host] = await extensionHosts(marker);
  return host ?? assert.fail('There is no extension host.');
}

/** The extension hosts of the windows of a VS Code, newest last. */
export async function extensionHosts(marker: string): Promise<readonly number[]> {
  const read = (pid: number, file: string): string => {
    try {
      return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  const found = (await listProcesses()).filter(
    ({ pid }) =>
      read(pid, 'cmdline').includes('--type=extensionHost') && read(pid, 'environ').includes(marker),
  );
  // A child has the same command line between fork and exec.
  return found.filter(({ ppid }) => !found.some(({ pid }) => pid === ppid)).map(({ pid }) => pid);
}
