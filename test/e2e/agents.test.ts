import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import type { Locator } from 'playwright-core';

import { connectHttp, textOf } from '../mcp/clients.js';
import { asRun } from '../support/asRun.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { disappears, until } from './waits.js';
import type { Workbench } from './workbench.js';

/** The part of a configuration that describes the server. */
interface CopiedServer {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}

function addressIn({ url, headers }: CopiedServer): { url: string; token: string } {
  return { url, token: headers.Authorization.replace('Bearer ', '') };
}

/** Makes of the time after which VS Code hides a message a tenth of a second, and counts how often it is over. */
const HURRY_MESSAGES = `
  globalThis.hiddenBy = 0;
  globalThis.usualSetTimeout = setTimeout;
  globalThis.setTimeout = (run, delay, ...rest) =>
    String(run).includes('.sticky')
      ? usualSetTimeout(() => { hiddenBy += 1; run(); }, 100)
      : usualSetTimeout(run, delay, ...rest);
`;

/** A person and an agent of another program, the official client of MCP, share the sessions of the extension. */
describe('A person and an agent with the installed extension', () => {
  let drive: Drive;
  let vscode: Workbench;
  let agent: Client | undefined;
  /** The number of the session that is called so. */
  let mirror: number;
  let address: ReturnType<typeof addressIn>;

  before(async () => {
    drive = await startDrive();
    vscode = drive.workbench;
  });

  after(async () => {
    await agent?.close();
    await drive.close();
  });

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const sessions = () => vscode.view('Sessions');
  const row = (text: string | RegExp) => vscode.treeRow(text, sessions());
  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(sessions(), wanted);
  /** The number of the session that an answer is about. */
  const numberIn = (answer: string): number => Number(/^Session (\d+): /m.exec(answer)?.[1]);

  const configuration = async (program: string): Promise<string> => {
    await vscode.palette('Exec Sessions: Copy MCP Configuration…');
    await vscode.pick(program);
    await vscode.toast(/It contains the token/).waitFor();
    await vscode.closeToasts();
    return vscode.page.evaluate<string>('navigator.clipboard.readText()');
  };
  const connect = async (name: string): Promise<Client> => {
    const { mcpServers } = JSON.parse(await configuration('Another Program')) as {
      mcpServers: Record<string, CopiedServer>;
    };
    const server = mcpServers['exec-sessions'];
    assert.ok(server);
    return connectHttp({ ...addressIn(server), era: 'legacy', name });
  };
  const call = async (tool: string, input: Record<string, unknown>): Promise<string> => {
    assert.ok(agent);
    return textOf(await agent.callTool({ name: tool, arguments: input }));
  };

  it('give the agent the copied configuration, and see what it starts at once', async () => {
    await vscode.activity('Exec Sessions');
    agent = await connect('Helper');
    const started = await call('exec_command', {
      cmd: 'echo ready; cat',
      tty: true,
      title: 'mirror',
      yield_time_ms: 0,
    });
    mirror = numberIn(started);
    await rowsHave(/^Running\s*1$/, /mirror.* · agent$/);
    assert.match(await vscode.hover(row('mirror')), /Started by.*the agent Helper/s);
    await vscode.screenshot('agents-1-row');
  });

  it('look at it without disturbing it', async () => {
    await row('mirror').click();
    await vscode.terminalHas(/ready/);
    await vscode.typeInTerminal('not for the agent');
    await vscode.terminalHas(/the agent Helper controls this session: what you type is not sent/);
    await vscode.screenshot('agents-2-read-only');
    const seen = await call('read_output', { session: mirror, cursor: '0' });
    assert.doesNotMatch(seen, /not for the agent/);
  });

  it('take control from the row, type, and the agent is told', async () => {
    await vscode.rowAction(row('mirror'), 'Take Control');
    await rowsHave(/mirror.*agent, you control/);
    await vscode.typeInTerminal('by a person');
    await vscode.terminalHas(/by a person\s+by a person/);
    const refused = await call('write_stdin', { session: mirror, chars: 'by the agent\r' });
    assert.match(refused, /person has taken control/i);
    await vscode.screenshot('agents-3-taken');
  });

  it('give it back, and the agent types again', async () => {
    await vscode.rowAction(row('mirror'), 'Give Back Control');
    await rowsHave(/mirror.* · agent$/);
    await call('write_stdin', { session: mirror, chars: 'by the agent\r' });
    await vscode.terminalHas(/by the agent\s+by the agent/);
  });

  it('type a secret that the agent does not see, asked for by a message that stays', async () => {
    const script = 'read -rsp "Password: " p; echo; echo "${#p} characters"; sleep 1000';
    await vscode.page.evaluate(HURRY_MESSAGES);
    const answer = await call('exec_command', {
      argv: ['bash', '-c', script],
      title: 'login',
      tty: true,
      yield_time_ms: 30_000,
    });
    assert.match(answer, /^State: waiting for a secret$/m);
    await rowsHave(/login\s*waits for a secret.* · agent$/);
    await vscode.toast(/"login" waits for a secret/).waitFor();
    await vscode.screenshot('agents-4-secret');
    // It stays until it is answered, in a window that a person looks at.
    assert.equal(await vscode.page.evaluate('document.hasFocus()'), true);
    try {
      await until(
        'the time for messages is over again and again',
        async () => (await vscode.page.evaluate<number>('hiddenBy')) >= 5,
      );
    } finally {
      await vscode.page.evaluate('globalThis.setTimeout = usualSetTimeout');
    }
    assert.ok(await vscode.toast(/"login" waits for a secret/).isVisible());
    await vscode.answerToast(/"login" waits for a secret/, 'Take Control');
    await vscode.terminalHas(/Password:/);
    await vscode.typeInTerminal('hunter2');
    await vscode.terminalHas(/7 characters/);
    await rowsHave(/login.* · agent, you control$/);
    const seen = await call('read_output', { session: numberIn(answer), cursor: '0' });
    assert.match(seen, /7 characters/);
    assert.doesNotMatch(seen, /hunter2/);
  });

  it('give and take control in the menu of the terminal', async () => {
    await vscode.page.locator('.terminal-wrapper.active').click({ button: 'right' });
    await vscode.chooseFromMenu('Give Back Control');
    await rowsHave(/login.* · agent$/);
    await vscode.page.locator('.terminal-wrapper.active').click({ button: 'right' });
    await vscode.chooseFromMenu('Take Control');
    await rowsHave(/login.*agent, you control/);
  });

  /** Follows a link of the tooltip in the status bar, which closes with each change of the sessions. */
  const follow = (item: Locator, line: RegExp, title: string, hasActed: () => Promise<boolean>) =>
    until(`${title} of ${String(line)} acts`, async () => {
      await vscode.hover(item);
      await vscode.screenshot(`agents-5-status-${title}`);
      const link = vscode.page
        .locator('.monaco-hover:visible p', { hasText: line })
        .getByRole('link', { name: title, exact: true });
      await link.click({ timeout: 2_000 }).catch(() => undefined);
      return hasActed();
    });

  it('sees in the status bar what waits before what runs, and acts on it there', async () => {
    await call('exec_command', {
      argv: ['bash', '-c', 'read -rsp "PIN: " pin; echo "${#pin} digits"; sleep 1000'],
      title: 'bank',
      tty: true,
      yield_time_ms: 30_000,
    });
    await vscode.toast(/"bank" waits for a secret/).waitFor();
    const item = vscode.page.locator(
      '.statusbar-item[aria-label^="Exec Sessions, One session waits for you"]',
    );
    await item.waitFor();
    const badge = vscode.page.locator('.activitybar .action-item:has([aria-label^="Exec Sessions"]) .badge');
    await badge.filter({ hasText: /^1$/ }).waitFor();
    assert.match(await vscode.hover(item), /^bank \(waits for a secret.*\n+(mirror|login) /);
    await follow(item, /^bank/, 'Show', async () => (await vscode.terminalText()).includes('PIN:'));
    await follow(item, /^bank/, 'Take Control', () => row(/bank.*agent, you control/).isVisible());
  });

  it('can stop all that the agent runs, from the status bar as well', async () => {
    const item = vscode.page.locator('.statusbar-item[aria-label^="Exec Sessions, "]');
    await follow(item, /^mirror/, 'Stop', () => row(/mirror.*SIG/).isVisible());
    await rowsHave(/^Closed\s*1$/, /mirror.*SIG.* · agent$/);
    await vscode.stopFromRow(row('login'));
    await rowsHave(/^Closed\s*2$/, /login.*SIG.* · agent$/);
    assert.match(await call('read_output', { session: mirror }), /^State: (ended|exited)/m);
  });

  it('keep the configuration over a reload of the window', async () => {
    const { input } = asRun('claude', await configuration('Claude Code'));
    address = addressIn(JSON.parse(input) as CopiedServer);
    await vscode.reload();
    // The server starts although no person opens the view, because a program outside VS Code was given its address.
    await until('the copied configuration works again', async () => {
      try {
        const again = await connectHttp({ ...address, era: '2026-07-28', name: 'Helper' });
        const { tools } = await again.listTools();
        await again.close();
        return tools.some(({ name }) => name === 'exec_command');
      } catch {
        return false;
      }
    });
  });

  it('stop the server for agents from the status bar', async () => {
    const item = vscode.page.locator('.statusbar-item[aria-label*="The MCP server runs"]');
    await item.waitFor();
    // Once the item has gone, a further look at it has nothing to find.
    await follow(item, /^The MCP server runs/, 'Stop MCP Server', () => disappears(item, 5_000));
    await assert.rejects(connectHttp({ ...address, era: '2026-07-28', name: 'Helper' }));
  });
});
