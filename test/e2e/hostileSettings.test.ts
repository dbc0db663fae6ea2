import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { temporaryFolder } from '../rig/lifetime.js';
import { root } from '../rig/paths.js';
import { startDrive } from './harness.js';
import { until } from './waits.js';

/** The smallest limits that a folder could ask for. */
const SMALLEST = {
  'execSessions.local.keepWithoutClient': 0,
  'execSessions.receipts': 'off',
  'execSessions.list.endedSessions': 0,
  'execSessions.output.retainedMegabytes': 0.0625,
  'execSessions.output.retainedChunks': 100,
  'execSessions.output.totalRetainedMegabytes': 1,
};

describe('A session server that the window of a hostile folder has found', () => {
  it('keeps the output and the receipts of others (SECURITY.md: A workspace that you do not trust)', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-hostile-'));
    const removeFolder = temporaryFolder(folder);
    fs.mkdirSync(path.join(folder, '.vscode'));
    fs.writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(SMALLEST));
    const drive = await startDrive({
      askForTrust: true,
      workspace: folder,
      settings: { 'security.workspace.trust.enabled': true },
    });
    const { base, workbench } = drive;
    const cli = async (...args: readonly string[]) => {
      const program = path.join(root, 'dist/exec-sessions.js');
      return (await promisify(execFile)(process.execPath, [program, ...args], { env: base.env })).stdout;
    };
    await workbench.activity('Exec Sessions');
    await cli('run', '--pipes', '--title', 'one', '--', 'sh', '-c', 'seq 1 30000; echo the end');
    const rows = () => workbench.treeRows(workbench.view('Sessions'));
    await until('the window has found the server', async () => (await rows()).length > 0);
    // The limits of the server take effect within a second.
    await cli('run', '--pipes', '--title', 'other', '--', 'sleep', '3');
    assert.match(await cli('logs', 'one'), /^1\n2\n[^]*\n30000\nthe end\n$/);
    assert.match(await cli('receipts'), /\bone\b[^]*\bother\b|\bother\b[^]*\bone\b/);
    await drive.close();
    await removeFolder();
  });
});
