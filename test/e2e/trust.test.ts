import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { temporaryFolder } from '../rig/lifetime.js';
import { connectHttp } from '../mcp/clients.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

const REFUSAL = /This workspace is not trusted, so nothing is started/;

/** Restricted Mode: VS Code asks for trust here, as it does for everybody outside the other tests. */
describe('A person in a folder that may be hostile', () => {
  let drive: Drive;
  let vscode: Workbench;
  /** A file that the folder's settings and tasks would have written. */
  let trace: string;
  let removeFolder: () => Promise<void>;

  before(async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-hostile-'));
    removeFolder = temporaryFolder(folder);
    trace = path.join(folder, 'trace');
    const workspace = path.join(folder, 'workspace');
    fs.mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
    const shell = path.join(workspace, 'shell');
    fs.writeFileSync(shell, `#!/bin/sh\ntouch ${trace}\nexec /bin/sh "$@"\n`, { mode: 0o755 });
    const settings = {
      'execSessions.env': { FROM_FOLDER: 'yes' },
      'execSessions.environments': [{ id: 'trap', kind: 'command', argv: ['touch', trace] }],
      'execSessions.shell.path': shell,
      'execSessions.stop.interruptMilliseconds': 0,
      // This setting would let the task below run without a question, if the folder could set it.
      'task.allowAutomaticTasks': 'on',
      'security.workspace.trust.enabled': false,
    };
    const task = {
      label: 'Build',
      type: 'shell',
      command: `touch ${trace}`,
      presentation: { reveal: 'never' },
      runOptions: { runOn: 'folderOpen' },
    };
    const tasks = { version: '2.0.0', tasks: [task] };
    for (const [name, content] of Object.entries({ settings, tasks })) {
      fs.writeFileSync(path.join(workspace, `.vscode/${name}.json`), JSON.stringify(content));
    }
    drive = await startDrive({
      askForTrust: true,
      neighbour: true,
      workspace,
      settings: { 'security.workspace.trust.enabled': true },
    });
    vscode = drive.workbench;
  });

  after(async () => {
    await drive.close();
    await removeFolder();
  });

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const sessions = () => vscode.view('Sessions');
  /** The words of the other extension, after one of its commands. */
  const neighbourSays = async (command: string, words: RegExp) => {
    await vscode.palette(`Neighbour: ${command}`);
    await vscode.toast(words).waitFor();
    await vscode.closeToasts();
  };
  const startByTool = async () => {
    await vscode.palette('Neighbour: Start by the Tool');
    await vscode.answerDialog('Run this command?', 'Yes');
  };
  const copyConfiguration = async () => {
    await vscode.palette('Exec Sessions: Copy MCP Configuration…');
    await vscode.pick('Another Program');
  };
  const refused = async () => {
    await vscode.toast(REFUSAL).waitFor();
    assert.equal(await vscode.page.locator('.quick-input-widget:visible').count(), 0);
    await vscode.closeToasts();
  };

  it('sees in the view that nothing is started, and what to do', async () => {
    await vscode.activity('Exec Sessions');
    await sessions().getByText('Nothing is started in a workspace that is not trusted').waitFor();
    await sessions().getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    assert.equal(await sessions().getByRole('button', { name: 'New Session…' }).count(), 0);
    await vscode.screenshot('trust-1-restricted');
  });

  for (const command of ['New Session…', 'New Shell Session', 'New Session in Environment…'] as const) {
    it(`starts nothing by the command ${command}`, async () => {
      await vscode.palette(`Exec Sessions: ${command}`);
      await refused();
    });
  }

  it('connects nothing', async () => {
    await vscode.palette('Exec Sessions: Connect to Environment…');
    await refused();
  });

  it('has no start by another extension', () => neighbourSays('Start by the API', REFUSAL));

  it('has no start by a tool of agents', async () => {
    await startByTool();
    await refused();
  });

  it('has no MCP server', async () => {
    await copyConfiguration();
    await refused();
  });

  it('does not get the environments of the folder', () =>
    neighbourSays('List Environments', /^Environments: local$/m));

  it('has run nothing after all that (SECURITY.md: A workspace that you do not trust)', async () => {
    assert.deepEqual(await vscode.treeRows(sessions()), []);
    assert.equal(fs.existsSync(trace), false);
  });

  it('trusts the folder by the button of the message, and the view changes at once', async () => {
    // A reload would take this away.
    await vscode.page.evaluate('window.sameWindow = true');
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answerToast(REFUSAL, 'Manage Workspace Trust');
    await vscode.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await sessions().getByRole('button', { name: 'New Session…' }).waitFor();
    await vscode.screenshot('trust-2-granted');
  });

  it('starts a session then, with the settings of the folder (SECURITY.md: A workspace that you trust)', async () => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('echo "from folder: $FROM_FOLDER"; sleep 1000', 'New Session');
    await vscode.terminalHas(/from folder: yes/);
    assert.ok(fs.existsSync(trace), 'the shell of the folder leaves a trace where it is used');
    await neighbourSays('List Environments', /^Environments: local, trap$/m);
  });

  it('has sessions by all the others as well', async () => {
    await neighbourSays('Start by the API', /API: (starting|running)/);
    await startByTool();
    await vscode.toast(/Tool: Session \d+:/).waitFor();
    await vscode.closeToasts();
    let rows: string[] = [];
    await until(
      () => `both are in the list, which has: ${rows.join(' | ')}`,
      async () => {
        rows = await vscode.treeRows(sessions());
        return [/^by the API/, /^by the tool/].every((one) => rows.some((text) => one.test(text)));
      },
    );
  });

  it('has an MCP server, all without a reload', async () => {
    await copyConfiguration();
    await vscode.toast(/It contains the token/).waitFor();
    await vscode.closeToasts();
    const { mcpServers } = JSON.parse(
      await vscode.page.evaluate<string>('navigator.clipboard.readText()'),
    ) as { mcpServers: Record<string, { url: string; headers: { Authorization: string } }> };
    const server = mcpServers['exec-sessions'];
    assert.ok(server);
    const token = server.headers.Authorization.replace('Bearer ', '');
    const client = await connectHttp({ url: server.url, token, era: 'legacy' });
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'exec_command'));
    await client.close();
    assert.equal(await vscode.page.evaluate('window.sameWindow'), true);
    await vscode.screenshot('trust-3-sessions');
  });
});
