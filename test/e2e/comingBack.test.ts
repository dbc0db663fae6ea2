import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { callTool } from '../mcp/reply.js';
import { sessionServersOf } from '../support/sessionServers.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { extensionHost, extensionHosts } from './hosts.js';
import { newerVersion } from './newerVersion.js';
import { asAgentOutside } from './outsideAgent.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

const COUNT = 'i=0; while :; do i=$((i+1)); echo "n $i"; sleep 0.1; done';
const counting = (name: string) => ({ commandLine: COUNT, title: `count ${name}` });

/** Its output takes a while to come after a reload; until then nothing may pass it off as running. */
const OVER = { commandLine: 'seq 200000; echo "it is over"; exit 3', title: 'the end', show: false };

/** A person's sessions of a day: most of them print all the time, three draw on the whole screen, one has no terminal. */
const SESSIONS = [
  counting('a'),
  counting('b'),
  { commandLine: 'vim -u NONE -N draft.txt', title: 'the editor' },
  { commandLine: 'htop', title: 'the monitor' },
  { ...counting('on pipes'), tty: false, show: false },
  OVER,
  { commandLine: 'less +5 draft.txt', title: 'the pager' },
  { commandLine: 'PS1="mine> " bash --norc --noprofile', title: 'the shell' },
  counting('c'),
];

const SHOWN = SESSIONS.flatMap(({ title, ...rest }) => ('show' in rest ? [] : [title]));
/** The sessions of the person that count, and one of an agent. */
const COUNTING = SESSIONS.filter(({ title }) => title.startsWith('count')).length + 1;

/**
 * Writes down the parts of a window that get the keyboard, and the texts of rows and messages. A look would miss those
 * that are there for a moment only.
 */
const LISTEN = `
  globalThis.focusedParts = [];
  document.addEventListener('focusin', ({ target }) => {
    focusedParts.push(target.closest('.part')?.className ?? target.className);
  }, true);
  globalThis.shownTexts = new Set();
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.monaco-list-row, .notification-list-item-message')) {
      shownTexts.add(textContent);
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
`;

/** A window that goes away, in every way, and the sessions that go on. */
describe('A person who comes back', function () {
  // Each of these loads a whole VS Code.
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive({ neighbour: true, settings: { 'execSessions.local.backend': 'server' } });
    vscode = drive.workbench;
    const lines = Array.from({ length: 200 }, (_, index) => `draft line ${index + 1}\n`);
    fs.writeFileSync(path.join(drive.base.workspace, 'draft.txt'), lines.join(''));
    fs.writeFileSync(path.join(drive.base.workspace, 'sessions.json'), JSON.stringify(SESSIONS));
    await vscode.activity('Exec Sessions');
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const sessions = () => vscode.view('Sessions');
  const says = async (command: string, words: RegExp) => {
    await vscode.palette(`Neighbour: ${command}`);
    await vscode.toast(words).waitFor();
    await vscode.closeToasts();
  };
  const tabsAre = async (wanted: readonly string[]) => {
    let tabs: string[] = [];
    await until(
      () => `the tabs are ${wanted.join(' | ')}; they are ${tabs.join(' | ')}`,
      async () => {
        // VS Code opens a shell of its own in a panel that it finds open.
        tabs = (await vscode.terminalTabs()).filter((tab) => tab !== 'rig' && tab !== 'bash');
        return tabs.join() === wanted.join();
      },
    );
  };
  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(sessions(), wanted);

  /** Everything of the ten sessions is there, and has gone on all the time. */
  const allIsThere = async (picture: string) => {
    await vscode.activity('Exec Sessions');
    await rowsHave(/^Running\s*9$/, /the end.*exit 3/, /count of the agent.* · agent$/);
    await tabsAre(SHOWN);
    await vscode.screenshot(picture);
    await says('Check the Numbers', new RegExp(`Numbers: ${COUNTING} count on$`));
  };
  /** The last number of the active terminal; 0 while it has none. */
  const lastNumber = async () => {
    const text =
      (await vscode.page.locator('.terminal-wrapper.active').count()) > 0 ? await vscode.terminalText() : '';
    return Number([...text.matchAll(/^n (\d+)$/gm)].at(-1)?.[1] ?? 0);
  };
  /** Makes a terminal the active one, and waits until the extension knows: the selected row follows then. */
  const activate = async (title: string) => {
    await vscode.terminalTab(title).click();
    const selected = sessions().locator('.monaco-list-row.selected');
    await selected.filter({ hasText: title }).waitFor();
  };
  /** The lines of the active terminal are numbers one after the other. */
  const terminalCountsOn = async () => {
    await activate('count c');
    const numbers = [...(await vscode.terminalHas(/n \d+\nn \d+/)).matchAll(/^n (\d+)$/gm)].map(([, n]) =>
      Number(n),
    );
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => (numbers[0] ?? 0) + index),
    );
  };

  /** The parts of the window that have had the keyboard since it was loaded. */
  const focusedParts = () => vscode.page.evaluate<string[]>('focusedParts');

  /** The failure before the reload was never shown as running, and was not told again. */
  const oldEndIsOld = async () => {
    const texts = await vscode.page.evaluate<string[]>('[...shownTexts]');
    assert.ok(
      texts.some((text) => /^Running\s*9$/.test(text)),
      texts.join('\n'),
    );
    assert.deepEqual(
      texts.filter((text) => /^Running\s*(?!9$)|"the end"/.test(text)),
      [],
    );
  };

  /**
   * Full-screen programs have drawn again, in every line but the last two. The pager may be at another place: it keeps
   * the last line in sight while its terminal is still higher for a moment.
   */
  const screensAreDrawn = async () => {
    for (const title of ['the editor', 'the pager']) {
      await activate(title);
      let lines: readonly string[] = [];
      await until(
        () => `${title} shows one line after the other; it has:\n${lines.join('\n')}\n`,
        async () => {
          lines = (await vscode.terminalLines()).slice(0, -2);
          const first = Number(/^draft line (\d+)$/.exec(lines[0] ?? '')?.[1]);
          return lines.length > 2 && lines.every((line, index) => line === `draft line ${first + index}`);
        },
      );
    }
    await activate('the monitor');
    await vscode.terminalHas(/Tasks: [^]*Load average: [^]*PID [^]*F1Help.*F10Quit$/);
  };

  it('starts ten sessions, one of them by an agent that goes away', async () => {
    await says('Start Many', /Many: 9 started/);
    await asAgentOutside(drive.base, drive.base.workspace, async (agent) => {
      const input = { cmd: COUNT, title: 'count of the agent', yield_time_ms: 0 };
      await callTool(agent, 'exec_command', input);
    });
    await allIsThere('back-1-before');
  });

  it('finds them after a reload, with the keyboard, the active terminal and the screens as they were', async () => {
    await screensAreDrawn();
    await vscode.page.addInitScript(LISTEN);
    await vscode.reloadWindow();
    await tabsAre(SHOWN);
    await until('the monitor is active again', async () => (await vscode.activeTab()) === 'the monitor');
    // VS Code gives the keyboard to its editors when it starts, and it stays there.
    assert.deepEqual(
      (await focusedParts()).filter((part) => /\b(panel|sidebar)\b/.test(part)),
      [],
    );
    await allIsThere('back-2-reload');
    await screensAreDrawn();
    await terminalCountsOn();
    await oldEndIsOld();
    assert.equal(sessionServersOf(drive.base.folder).length, 1);
  });

  it('finds them after the extension host was killed, and no terminal twice', async () => {
    process.kill(await extensionHost(drive.base.marker), 'SIGKILL');
    // The window shows the lines of the killed one until it has its own: only its own ones count on for so long.
    const before = await lastNumber();
    await until(`the terminal counts on from ${before}`, async () => (await lastNumber()) > before + 50);
    await allIsThere('back-3-host');
    await terminalCountsOn();
  });

  it('finds them after VS Code was killed as a whole', async () => {
    await drive.killAndStartAgain();
    await vscode.open(drive.address);
    await allIsThere('back-4-killed');
    await screensAreDrawn();
    await terminalCountsOn();
  });

  it('finds them after the window was closed', async () => {
    await vscode.page.goto('about:blank');
    await until('the window has gone', async () => (await extensionHosts(drive.base.marker)).length === 0);
    await vscode.open(drive.address);
    await allIsThere('back-5-closed');
  });

  it('uses them on with a newer version of the extension, which starts others in a server of its own', async () => {
    await drive.install(await newerVersion(drive.vsix, drive.base.folder));
    await vscode.reload();
    await allIsThere('back-6-newer');
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('echo "from the newer"; sleep 1000', 'New Session');
    await vscode.terminalHas(/from the newer/);
    assert.equal(sessionServersOf(drive.base.folder).length, 2);
    await rowsHave(/^Running\s*10$/);
  });

  it('leaves no process when the tests end', async () => {
    assert.deepEqual(await drive.close(), []);
  });
});
