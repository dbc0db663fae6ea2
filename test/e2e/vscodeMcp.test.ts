import { toolDefinitions } from '../../src/agent/definitions.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

/**
 * VS Code itself as a client of the MCP server that the extension offers it. The chat is left out: it needs an account
 * for its model. Another extension calls the tools in its place.
 */
describe('VS Code with the MCP server of the installed extension', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive({
      neighbour: true,
      settings: { 'chat.disableAIFeatures': false, 'chat.mcp.autostart': 'never' },
    });
    vscode = drive.workbench;
    await vscode.activity('Exec Sessions');
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const chooseForServer = async (state: string, action: string) => {
    await vscode.palette('MCP: List Servers');
    let rows: string[] = [];
    await until(
      () => `the server is ${state}; there are ${rows.join(' | ')}`,
      async () => {
        rows = await vscode.quickRows();
        return rows.some((text) => text.startsWith('Exec Sessions') && text.includes(state));
      },
    );
    await vscode.pick('Exec Sessions');
    await vscode.pick(action);
  };
  const all = toolDefinitions
    .map(({ name }) => name)
    .sort()
    .join(', ');

  it('lists it, and does not start it by itself', async () => {
    await vscode.palette('Neighbour: List Tools of MCP');
    await vscode.toast('Tools: none').waitFor();
    await vscode.closeToasts();
    await chooseForServer('Stopped', 'Start Server');
  });

  it('connects to it, and has all its tools', async () => {
    // VS Code opens its output meanwhile, which takes the focus, so nothing is typed until that is there.
    const output = vscode.page.locator('.part.panel option[value="MCP: Exec Sessions"]').first();
    await output.waitFor({ state: 'attached' });
    await vscode.palette('Neighbour: Wait for Tools of MCP');
    await vscode.toast(`Tools: ${all}`).waitFor();
    await vscode.closeToasts();
  });

  it('calls one of them after a question, and the session is in the list', async () => {
    await vscode.palette('Neighbour: Start by MCP');
    await vscode.answerDialog('Starts a command as a session', 'Yes');
    await vscode.toast(/MCP: Session \d+:/).waitFor();
    await vscode.treeRow(/^by MCP.*agent/, vscode.view('Sessions')).waitFor();
    await vscode.screenshot('mcp-1-session');
    await vscode.closeToasts();
  });

  it('stops it, and the session goes on', async () => {
    await chooseForServer('Running', 'Stop Server');
    await vscode.activity('Exec Sessions');
    await vscode.treeRow(/^by MCP.*agent/, vscode.view('Sessions')).waitFor();
  });
});
