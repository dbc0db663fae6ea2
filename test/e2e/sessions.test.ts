import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { sessionServersOf } from '../support/sessionServers.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { extensionHost } from './hosts.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

const NEW_SESSION = 'Exec Sessions: New Session…';

/**
 * Whenever VS Code draws rows anew, it gives them the keyboard (`doRefresh` in its treeView.ts). A key for the find box
 * would go there. This gives the box the keyboard back in the same moment.
 */
const KEEP_IN_FIND_BOX = `
  globalThis.findBoxIsDone = new AbortController();
  const boxes = [...document.querySelectorAll('.monaco-tree-type-filter input')];
  const box = boxes.find(({ value }) => value === 'xThree');
  document.addEventListener('focusin', ({ target }) => {
    if (target !== box && target.closest('.monaco-list')) box.focus();
  }, { signal: findBoxIsDone.signal });
`;

/** The main tasks as a person does them: in the installed extension, with mouse and keyboard alone. */
describe('A person with the installed extension', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    // A message on the screen takes the next Escape away from the terminal.
    drive = await startDrive();
    vscode = drive.workbench;
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const sessions = () => vscode.view('Sessions');
  const row = (text: string | RegExp) => vscode.treeRow(text, sessions());
  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(sessions(), wanted);
  const startSession = async (commandLine: string) => {
    await vscode.palette(NEW_SESSION);
    await vscode.answer(commandLine, 'New Session');
  };
  /** Closes the terminal that is shown, and waits until its text is gone. */
  const closeTerminal = async (shown: RegExp) => {
    await vscode.palette('Terminal: Kill the Active Terminal Instance');
    await terminalShowsNo(shown);
  };
  const shownText = () => vscode.terminalText().catch(() => '');
  const terminalShowsNo = (text: RegExp) =>
    until(`no terminal shows ${String(text)}`, async () => !text.test(await shownText()));

  it('finds an empty view that says what to do', async () => {
    await vscode.activity('Exec Sessions');
    await sessions().getByRole('button', { name: 'New Session…' }).waitFor();
    await vscode.screenshot('1-empty');
  });

  it('starts a session from the palette, types into it, and sees what it says', async () => {
    await startSession(`read -p 'Name? ' name; echo "hello $name"; sleep 1000`);
    await vscode.terminalHas(/Name\?/);
    await vscode.typeInTerminal('Ada');
    await vscode.terminalHas(/hello Ada/);
    await rowsHave(/^Running\s*1$/, /read -p .*< 1 m/);
    await vscode.screenshot('2-running');
  });

  it('closes the terminal, and the session goes on', async () => {
    await closeTerminal(/hello Ada/);
    await rowsHave(/^Running\s*1$/);
  });

  it('opens it again with a click, and sees what it said before', async () => {
    await row(/read -p/).click();
    await vscode.terminalHas(/Name\? Ada\s+hello Ada/);
  });

  it('stops it from its row, and sees how it ended', async () => {
    await vscode.stopFromRow(row(/read -p/));
    await rowsHave(/^Closed\s*1$/, /read -p .*SIGINT/);
    await vscode.terminalHas(/SIGINT.*press R to run again, Enter to close/);
    await vscode.screenshot('3-stopped');
  });

  it('runs it again with R, in the same terminal', async () => {
    await vscode.pressAfterEnd('r', async () => (await vscode.terminalText()).includes('running again'));
    await vscode.terminalHas(/running again[\s\S]*Name\?/);
    await vscode.typeInTerminal('Grace');
    await vscode.terminalHas(/hello Grace/);
    await rowsHave(/^Running\s*1$/, /^Closed\s*1$/);
    await vscode.pressInTerminal('Control+C');
    await rowsHave(/^Closed\s*2$/);
    await vscode.pressAfterEnd('Enter', async () => !(await shownText()).includes('hello Grace'));
    await terminalShowsNo(/hello Grace/);
  });

  it('sends a signal by the menu of a row, and is told what it goes to', async () => {
    await startSession('trap "echo got it" USR1; echo ready; while :; do sleep 0.1; done');
    await vscode.terminalHas(/ready/);
    await vscode.rowMenu(row(/^trap/), 'Send Signal');
    await vscode.page.getByPlaceholder(/^Signal for .+ and all that it started$/).waitFor();
    await vscode.fillInput('usr1', 'Send Signal');
    await vscode.pick(/SIGUSR1/);
    await vscode.terminalHas(/got it/);
    await vscode.stopFromRow(row(/^trap/));
    // The row keeps its place for a second, and a menu that is opened meanwhile closes when it moves.
    await rowsHave(/^Closed\s*3$/, /trap .*stopped/);
  });

  it('asks before it kills what runs', async () => {
    await startSession('sleep 2000');
    await rowsHave(/sleep 2000.*< 1 m/);
    await vscode.rowMenu(row(/sleep 2000/), 'Kill');
    await vscode.dialog.waitFor();
    await vscode.screenshot('4-kill');
    await vscode.answerDialog(/sleep 2000/, 'Kill');
    await rowsHave(/sleep 2000.*SIGKILL/);
  });

  it('restarts with the first button of a row what runs, in its terminal', async () => {
    await startSession('echo up 2001; exec sleep 2001');
    await vscode.terminalHas(/up 2001/);
    await row(/sleep 2001/).hover();
    const buttons = await row(/sleep 2001/)
      .locator('.action-label')
      .all();
    const names = await Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    assert.match(names[0] ?? '', /^Restart/, names.join());
    await vscode.rowAction(row(/sleep 2001/), 'Restart');
    await vscode.terminalHas(/up 2001[\s\S]*running again[\s\S]*up 2001/);
    await rowsHave(/sleep 2001.*SIGINT/);
  });

  it('filters with a button in the title of the view, and sees all again with Clear Filter there', async () => {
    // The row of a restarted session keeps its place for a second.
    await rowsHave(/^Running\s*1$/, /^Closed\s*5$/);
    const before = await vscode.treeRows(sessions());
    const button = (name: string) =>
      vscode.page.locator(`.part.sidebar .action-label[aria-label^="${name}"]:visible`).first();
    await sessions().hover();
    await button('Filter…').click();
    await (await vscode.fillInput('sleep 2001', 'Filter')).press('Enter');
    await vscode.rowsAre(sessions(), 'only what matches', (rows) =>
      rows.every((text) => /^(Running|Closed|Succeeded)|sleep 2001/.test(text)),
    );
    await sessions().getByText('Filter: ').first().waitFor();
    await sessions().hover();
    await button('Clear Filter').hover();
    await vscode.screenshot('11-filter');
    await button('Clear Filter').click();
    await vscode.rowsAre(sessions(), 'all again', (rows) => rows.length === before.length);
    await button('Clear Filter').waitFor({ state: 'hidden' });
  });

  it('is told why something cannot be started, and keeps nothing of it', async () => {
    await startSession('["no-such-program"]');
    await vscode.toast(/no-such-program.*there is no such program/).waitFor();
    await vscode.screenshot('5-failed-start');
    await vscode.closeToasts();
    assert.ok((await vscode.treeRows(sessions())).every((text) => !text.includes('no-such-program')));
  });

  it('sees on its tab how one ended that was over at once', async () => {
    await startSession('exit 3');
    await vscode.terminalHas(/exited with code 3/);
    let tabs: string[] = [];
    await until(
      () => `a tab is "✗ exit 3"; there are ${tabs.join(' | ')}`,
      async () => {
        tabs = await vscode.terminalTabs();
        return tabs.includes('✗ exit 3');
      },
    );
  });

  it('edits with vim, and finds nothing at the prompt after two more looks at it', async () => {
    await vscode.palette('Exec Sessions: New Shell Session');
    await vscode.terminalHas(/[$#]$/);
    await vscode.typeInTerminal(`PS1='prompt> '; vim -u NONE -N note.txt`);
    await vscode.terminalHas(/~\s*\n~/);
    await vscode.typeInTerminal('iwritten in vim', { enter: false });
    await vscode.terminalHas(/written in vim/);
    await vscode.screenshot('6-vim');
    // A message takes Escape for itself: on a slow machine the end of the session before is told of.
    await vscode.closeToasts();
    await vscode.pressInTerminal('Escape');
    await until('vim takes commands', async () => !(await vscode.terminalText()).includes('INSERT'));
    await vscode.typeInTerminal(':wq');
    await vscode.typeInTerminal('clear; cat note.txt');
    await vscode.terminalHas(/^written in vim\nprompt>$/);
    for (let look = 1; look <= 2; look++) {
      await closeTerminal(/prompt>/);
      await row(/bash|sh/).click();
      await vscode.terminalHas(/\nprompt>$/);
      await vscode.typeInTerminal('echo still-$((40+2))');
      await vscode.terminalHas(/\nprompt> echo still-\$\(\(40\+2\)\)\nstill-42\nprompt>$/);
      // An answer to a question in the replay would have been typed at the prompt, and be run or shown.
      assert.doesNotMatch(await vscode.terminalText(), /command not found|\[\?|;\d+c|\d+R/);
    }
    await vscode.screenshot('7-reopened');
  });

  it('finds the first line of an editor in a shell after a reload, which nothing covers', async () => {
    fs.writeFileSync(path.join(drive.base.workspace, 'lines.txt'), 'first line\nsecond line\n');
    await vscode.palette('Exec Sessions: New Shell Session');
    await vscode.terminalHas(/[$#]$/);
    await vscode.typeInTerminal('seq 1 60');
    await vscode.terminalHas(/^60$/m);
    await vscode.typeInTerminal('vim -u NONE -N lines.txt');
    await vscode.terminalHas(/^first line\nsecond line\n~/m);
    await vscode.reload();
    await vscode.terminalHas(/^first line\nsecond line\n~/m);
    await vscode.screenshot('6-vim-again');
    assert.equal(await vscode.page.locator('.terminal-sticky-scroll.visible').count(), 0);
    await vscode.typeInTerminal(':q\r', { enter: false });
    await vscode.terminalHas(/^60$/m);
  });

  it('sees the whole of a session over its row', async () => {
    const text = await vscode.hover(row(/sleep 2000/));
    assert.match(text, /SIGKILL/);
    await vscode.screenshot('8-tooltip');
  });

  it('sees over a row what has been written by now, when looking again', async () => {
    await startSession('while sleep 0.2; do echo tick; done');
    await vscode.terminalHas(/tick/);
    const written = async () => /Output: .*/.exec(await vscode.hover(row(/while sleep/)))?.[0];
    const before = await written();
    assert.ok(before);
    await until('the tooltip has moved on', async () => (await written()) !== before);
    await vscode.stopFromRow(row(/while sleep/));
    // bash survives an interrupt that comes just as its child ends by itself (35 of 400 with 1 ms); the next step ends it.
    await rowsHave(/while sleep .*SIG(INT|HUP)/);
  });

  it('looks at a session with a click, and the keys stay with the row', async () => {
    await row(/^exit 3/).click();
    await vscode.terminalHas(/exited with code 3/);
    await vscode.page.keyboard.press('F2');
    await vscode.answer('Three', 'Rename "exit 3"');
    await rowsHave(/^Three.*exit 3/);
  });

  it('searches the rows, and Delete and F2 edit only what was typed', async () => {
    await row(/^Three/).click();
    await vscode.page.keyboard.press('Control+Alt+f');
    const find = sessions().locator('.monaco-tree-type-filter input');
    await find.fill('xThree');
    await vscode.page.evaluate(KEEP_IN_FIND_BOX);
    for (const key of ['Home', 'Delete', 'F2']) {
      await find.press(key);
    }
    // A key that does something else changes no text.
    await until('the find box has it', async () => (await find.inputValue()) === 'Three');
    assert.equal(await vscode.page.locator('.quick-input-widget:visible').count(), 0);
    assert.equal(await vscode.dialog.count(), 0);
    await vscode.screenshot('10-find');
    await vscode.page.evaluate('findBoxIsDone.abort()');
    await find.press('Escape');
    await rowsHave(/^Three/);
  });

  it('removes what is closed', async () => {
    await vscode.palette('Exec Sessions: Clear Closed');
    await until('no closed session is left', async () =>
      (await vscode.treeRows(sessions())).every((text) => !text.startsWith('Closed')),
    );
  });

  it('counts on the icon what runs, also after everything has crashed', async () => {
    const badge = vscode.page.locator('.activitybar .action-item:has([aria-label^="Exec Sessions"]) .badge');
    await startSession('sleep 3000');
    await badge.filter({ hasText: /^[1-9]/ }).waitFor();
    // With their server the sessions are gone as well, and the icon must not count them any more.
    for (const pid of sessionServersOf(drive.base.folder)) process.kill(pid, 'SIGKILL');
    process.kill(await extensionHost(drive.base.marker), 'SIGKILL');
    await sessions().getByRole('button', { name: 'New Session…' }).waitFor();
    await badge.waitFor({ state: 'hidden' });
  });

  it('leaves no process when VS Code ends', async () => {
    await startSession(`trap '' INT HUP TERM; while :; do sleep 0.1; done`);
    await rowsHave(/trap.*< 1 m/);
    assert.deepEqual(await drive.close(), []);
  });
});
