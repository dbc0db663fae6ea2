import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { hasCodex } from '../rig/codex.js';
import { startSshd, cutSsh, type Sshd } from '../rig/sshd.js';
import { Cable } from '../support/cable.js';
import { startCodexServer } from '../support/codexServer.js';
import { ownServer, ownStdioServer, startOwnServer, type RunningServer } from '../support/execServer.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

const TOKEN = 'a-token-that-nobody-sees';

/** Sessions on other machines, as a person uses them: real servers, connections that are cut, and a real sshd. */
describe('A person with other machines', () => {
  /** Undefined where codex cannot be had. */
  let codex: CodexBehindCable | undefined;
  let own: RunningServer;
  let sshd: Sshd;
  let ownCable: Cable;
  let drive: Drive;
  let vscode: Workbench;
  /** Where the files of a wrapped server are on this machine. */
  const here = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-here-')));

  const guarded = [
    '--ws-auth',
    'capability-token',
    '--ws-token-sha256',
    createHash('sha256').update(TOKEN).digest('hex'),
  ];
  const startGuarded = () => startOwnServer({ args: guarded });

  before(async () => {
    fs.writeFileSync(path.join(here, 'deep.ts'), 'first line\nsecond line\nthird line\n');
    codex = hasCodex() ? await CodexBehindCable.start() : undefined;
    own = await startGuarded();
    sshd = await startSshd();
    ownCable = await Cable.open(own.port);
    const node = [process.execPath, ownServer];
    drive = await startDrive({
      machineSettings: {
        // An interrupt ends the programs here, however long a busy machine takes.
        'execSessions.stop.interruptMilliseconds': 20_000,
        'execSessions.environments': [
          ...(codex ? [{ id: 'codex', name: 'Codex', kind: 'websocket', url: codex.cable.url }] : []),
          { id: 'own', name: 'Our server', kind: 'websocket', url: ownCable.url },
          {
            id: 'wrapped',
            name: 'A wrapper',
            kind: 'command',
            argv: ['/bin/sh', '-c', `exec "$0" "$@"`, ...ownStdioServer()],
            folders: { '/there': here },
          },
          { id: 'ssh', name: 'Over SSH', kind: 'command', argv: sshd.argv(...node, '--listen', 'stdio') },
          {
            id: 'bridge',
            name: 'Bridge over SSH',
            kind: 'command',
            argv: sshd.argv(...node, 'bridge', '--stdio'),
            cwd: '~',
          },
          {
            id: 'lingering',
            name: 'One that lingers',
            kind: 'command',
            argv: ['/bin/sh', '-c', '"$0" "$@"; sleep 4245', ...ownStdioServer()],
          },
          { id: 'dead', name: 'Nobody there', kind: 'websocket', url: 'ws://127.0.0.1:1' },
        ],
      },
    });
    vscode = drive.workbench;
    await vscode.activity('Exec Sessions');
  });

  after(async () => {
    const survivors = await drive.close();
    ownCable.dispose();
    await Promise.all([codex?.stop(), own.stop(), sshd.stop()]);
    fs.rmSync(here, { recursive: true });
    assert.deepEqual(survivors, []);
  });

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const sessions = () => vscode.view('Sessions');
  const row = (text: string | RegExp) => vscode.treeRow(text, sessions());
  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(sessions(), wanted);
  const startIn = async (environment: string, commandLine: string) => {
    await vscode.palette('Exec Sessions: New Session in Environment…');
    await vscode.pick(environment);
    await vscode.answer(commandLine, `New Session on ${environment}`);
  };
  /** Closes all terminals, so that the next one is the only one and the panel shows no list of tabs. */
  const closeTerminals = async () => {
    await vscode.palette('Terminal: Kill All Terminals');
    await until(
      'no terminal is left',
      async () => (await vscode.page.locator('.terminal-wrapper').count()) === 0,
    );
  };

  it('sees this machine alone while nothing else is used', async () => {
    await sessions().getByRole('button', { name: 'New Session…' }).waitFor();
    await vscode.screenshot('environments-1-empty');
  });

  it('is told plainly that nobody is there, and what to do', async () => {
    await vscode.palette('Exec Sessions: Connect to Environment…');
    await vscode.screenshot('environments-2-picker');
    await vscode.pick('Nobody there');
    const toast = vscode.toast(/ws:\/\/127\.0\.0\.1:1/);
    await toast.waitFor();
    await toast.getByRole('button', { name: 'Try Again' }).waitFor();
    await vscode.screenshot('environments-3-refused');
    await vscode.closeToasts();
  });

  if (hasCodex()) {
    it('runs a session on the real codex exec-server, in a terminal that keeps its size', async () => {
      await startIn(
        'Codex',
        `stty size; read -p 'Name? ' name; echo "hello $name from $TERM_PROGRAM"; exec cat`,
      );
      await vscode.terminalHas(/terminals on Codex cannot be resized: programs there see 80 columns and 24/);
      await vscode.terminalHas(/24 80\s+Name\?/);
      await vscode.typeInTerminal('Ada');
      await vscode.terminalHas(/hello Ada from vscode/);
      await rowsHave(/^This machine/, /^Codex\s*connected/, /^Running\s*1/, /stty size/);
      await vscode.screenshot('environments-4-codex');
    });

    it('types while the cable is cut, and it arrives', async () => {
      codex?.cable.refuse();
      codex?.cable.cut();
      await rowsHave(/^Codex\s*recovering · \d+ s left/, /stty size.*recovering · \d+ s/);
      await vscode.terminalHas(/connection to Codex lost, trying for \d+ s more; what you type waits/);
      await vscode.typeInTerminal('typed meanwhile');
      await vscode.screenshot('environments-5-recovering');
      await codex?.cable.accept();
      await vscode.terminalHas(/connection to Codex is back[\s\S]*typed meanwhile\s+typed meanwhile/);
      await rowsHave(/^Codex\s*connected/);
    });

    it('is told that a server was restarted, and starts there again', async () => {
      await codex?.kill();
      await rowsHave(/^Codex\s*recovering/);
      await codex?.startAgain();
      await rowsHave(/^Codex\s*lost: /, /stty size.*lost: /);
      await vscode.toast(/The connection to "Codex" was lost, and one session with it/).waitFor();
      await vscode.terminalHas(/\nlost: [\s\S]*press R to run/);
      await vscode.screenshot('environments-6-lost');
      await vscode.closeToasts();
      await vscode.pressAfterEnd('r', async () => (await vscode.terminalText()).includes('running again'));
      await vscode.terminalHas(/running again[\s\S]*Name\?/);
      await rowsHave(/^Codex\s*connected/, /^Running\s*1/, /^Closed\s*1/);
      await vscode.pressInTerminal('Control+C');
      await rowsHave(/^Closed\s*2/);
      await closeTerminals();
    });
  }

  it('is asked for the token of our server', async () => {
    await vscode.palette('Exec Sessions: Connect to Environment…');
    await vscode.pick('Our server');
    await vscode.answerToast(/token/, 'Set Token…');
    await vscode.fillInput(TOKEN, 'Token for "Our server"');
    await vscode.screenshot('environments-7-token');
    await vscode.page.keyboard.press('Enter');
    await rowsHave(/^Our server\s*connected/);
  });

  it('runs a session there that follows the size of its terminal', async () => {
    await startIn('Our server', `trap 'echo now: $(stty size)' WINCH; while :; do sleep 0.1; done`);
    await rowsHave(/trap.*< 1 m/);
    await vscode.palette('View: Toggle Maximized Panel');
    await vscode.terminalHas(/now: \d+ \d+/);
    await vscode.palette('View: Toggle Maximized Panel');
    await rowsHave(/^Our server\s*connected/);
    await vscode.stopFromRow(row(/trap/));
    await rowsHave(/trap.*(SIGINT|exit 130)/);
    await closeTerminals();
  });

  it('loses it with the server, and sees why', async () => {
    await startIn('Our server', 'echo started; exec cat');
    await vscode.terminalHas(/started/);
    await own.kill();
    await rowsHave(/^Our server\s*recovering · \d+ s left/);
    own = await startGuarded();
    ownCable.target = own.port;
    await rowsHave(/^Our server\s*lost: /);
    await vscode.closeToasts();
    await vscode.rowMenu(row(/^Our server/), 'Connect to Environment…');
    await rowsHave(/^Our server\s*connected/);
    await closeTerminals();
  });

  it('runs one through a program that it chose', async () => {
    await startIn('A wrapper', 'echo "in $PWD"');
    await vscode.terminalHas(/in \/\S+[\s\S]*exited with code 0/);
    // A row that appears or goes while the menu is open would take the menu's target away. So the rows must be final:
    // successful sessions go into a group that is collapsed.
    await rowsHave(/^Succeeded\s*1/);
    await row(/^Succeeded/).click();
    await rowsHave(/echo "in.*exit 0/);
    await vscode.rowMenu(row(/^A wrapper/), 'Disconnect from Environment…');
    await rowsHave(/^A wrapper\s*not connected/);
    await closeTerminals();
  });

  it('runs one over ssh, and loses it with the connection: it was the server itself', async () => {
    await startIn('Over SSH', 'echo "at $SSH_CONNECTION"; exec cat');
    await vscode.terminalHas(/at 127\.0\.0\.1 \d+ 127\.0\.0\.1 \d+/);
    assert.ok(cutSsh(sshd) > 0);
    await rowsHave(/^Over SSH\s*lost: /);
    await vscode.terminalHas(/lost: /);
    await vscode.closeToasts();
    await closeTerminals();
  });

  it('runs one through the bridge over ssh, and it goes on when ssh is cut', async () => {
    await startIn('Bridge over SSH', 'pwd; echo "pid $$"; exec cat');
    const text = await vscode.terminalHas(/pid \d+/);
    assert.ok(text.includes(sshd.home), text);
    assert.ok(cutSsh(sshd) > 0);
    await vscode.typeInTerminal('still there');
    await vscode.terminalHas(
      /connection to Bridge over SSH lost[\s\S]*is back[\s\S]*still there\s+still there/,
    );
    await rowsHave(/^Bridge over SSH\s*connected/, /pwd; echo/);
    await vscode.screenshot('environments-8-bridge');
  });

  it('finds it again after a disconnect', async () => {
    await vscode.rowMenu(row(/^Bridge over SSH/), 'Disconnect from Environment…');
    await vscode.dialog.waitFor();
    await vscode.screenshot('environments-9-disconnect');
    await vscode.answerDialog(/One session runs there/, 'Disconnect');
    await rowsHave(/^Bridge over SSH\s*not connected/, /pwd; echo.*lost: this window has disconnected/);
    await closeTerminals();
    await vscode.rowMenu(row(/^Bridge over SSH/), 'Connect to Environment…');
    await rowsHave(/^Bridge over SSH\s*connected/, /pwd; echo/);
    await row(/pwd; echo/).click();
    await vscode.terminalHas(/pid \d+[\s\S]*still there/);
    await vscode.screenshot('environments-10-found');
    await vscode.stopFromRow(row(/pwd; echo/));
    await rowsHave(/pwd; echo.*(SIGINT|exit)/);
  });

  it('opens a file that a session there names where it is here, and is told where another one is', async () => {
    await closeTerminals();
    // The tooltip of a link in the first lines would cover it, since above it is no room.
    const text = String.raw`\n\n\n\n/there/deep.ts:3:2: error\n/etc/hosts:1: error\n`;
    await startIn('A wrapper', `printf '${text}'; exec sleep 1005`);
    await vscode.terminalHas(/hosts:1/);
    await vscode.followLink('/there/deep.ts:3:2', () => vscode.statusItem('Ln 3, Col 2').isVisible());
    const toast = vscode.toast(/"\/etc\/hosts" is on "A wrapper"/);
    await vscode.followLink('/etc/hosts:1', () => toast.isVisible());
    await vscode.screenshot('environments-11-links');
    await vscode.closeToasts();
    await vscode.stopFromRow(row(/there\/deep/));
    await rowsHave(/there\/deep.*SIGINT/);
  });

  it('leaves no program, not even one that ignores the end of its input', async () => {
    await vscode.palette('Exec Sessions: Connect to Environment…');
    await vscode.pick('One that lingers');
    await rowsHave(/^One that lingers\s*connected/);
    // The check for processes that outlive VS Code follows after the last test.
  });

  it('shows a token nowhere', async () => {
    await vscode.palette('Exec Sessions: Show Log');
    const shown = await vscode.page.locator('.part.panel').innerText();
    assert.ok(!shown.includes(TOKEN));
  });
});

/** The real codex exec-server at the end of a cable that outlives it. */
class CodexBehindCable {
  readonly cable: Cable;
  #server: RunningServer;

  private constructor(server: RunningServer, cable: Cable) {
    this.#server = server;
    this.cable = cable;
  }

  static async start(): Promise<CodexBehindCable> {
    const server = await startCodexServer();
    return new CodexBehindCable(server, await Cable.open(server.port));
  }

  kill(): Promise<void> {
    return this.#server.kill();
  }

  async startAgain(): Promise<void> {
    this.#server = await startCodexServer();
    this.cable.target = this.#server.port;
  }

  async stop(): Promise<void> {
    this.cable.dispose();
    await this.#server.stop();
  }
}
