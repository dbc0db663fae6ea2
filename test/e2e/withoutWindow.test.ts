import assert from 'node:assert/strict';
import path from 'node:path';

import { version } from '../../package.json';
import { systemClock } from '../../src/core/index.js';
import { connectMachine } from '../../src/machine/index.js';
import { callTool } from '../mcp/reply.js';
import { LeapingNode } from '../support/leapingNode.js';
import { isRunning, openFiles } from '../support/processes.js';
import { sessionServersOf } from '../support/sessionServers.js';
import { root } from '../rig/paths.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { extensionHosts } from './hosts.js';
import { asAgentOutside } from './outsideAgent.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

const MINUTE = 60;

/** Sessions go on, or end, while no window is open: the time in the session server leaps. */
describe('A person who stays away for longer than sessions of agents go on', function () {
  let drive: Drive;
  let vscode: Workbench;
  let node: LeapingNode;

  before(async () => {
    drive = await startDrive({ settings: { 'execSessions.local.backend': 'server' } });
    vscode = drive.workbench;
    const { folder, env } = drive.base;
    node = new LeapingNode(folder);
    const options = {
      version,
      files: path.join(root, 'dist'),
      env,
      clock: systemClock,
      log: () => undefined,
    };
    (await connectMachine({ ...options, node: node.file, start: true }))?.disconnect();
    await vscode.activity('Exec Sessions');
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(vscode.view('Sessions'), wanted);
  const server = () => sessionServersOf(drive.base.folder)[0] ?? assert.fail('There is no session server.');
  const sockets = () => [...openFiles(server()).values()].filter((file) => file.startsWith('socket:')).length;

  it('finds that one ended after ten minutes, and is led to the setting', async () => {
    let pid = 0;
    await asAgentOutside(drive.base, drive.base.workspace, async (agent) => {
      const input = { cmd: 'echo "pid $$"; exec sleep 100000', title: 'of the agent', yield_time_ms: 2_000 };
      pid = Number(/pid (\d+)/.exec((await callTool(agent, 'exec_command', input)).text)?.[1]);
    });
    await rowsHave(/of the agent.* · agent/);
    const connected = sockets();
    await vscode.page.goto('about:blank');
    await until(
      'the window has gone',
      async () => (await extensionHosts(drive.base.marker)).length === 0 && sockets() < connected,
    );
    await node.leap(server(), 10 * MINUTE - 1);
    assert.ok(await isRunning(pid));
    await node.leap(server(), 1);
    await until('the session has ended', async () => !(await isRunning(pid)));

    await vscode.open(drive.address);
    await vscode.activity('Exec Sessions');
    await rowsHave(/of the agent.*ended 10 m after the last window/);
    const said = /"of the agent" was ended 10 minutes after the last window had closed\./;
    await vscode.toast(said).waitFor();
    await vscode.screenshot('without-window');
    await vscode.answerToast(said, 'Open Settings');
    await vscode.page
      .locator('.settings-editor .setting-item-contents', { hasText: 'Keep Without Client' })
      .first()
      .waitFor();
  });

  it('leaves no process when the tests end', async () => {
    assert.deepEqual(await drive.close(), []);
  });
});
