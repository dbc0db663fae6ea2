import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { freePort } from '../support/freePort.js';
import { chooseFromButton } from './buttonMenu.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

/** The list as a person uses it: by mouse, by keyboard alone, and with many sessions. */
describe('A person with the list of sessions', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive({ neighbour: true });
    vscode = drive.workbench;
    await vscode.activity('Exec Sessions');
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const view = () => vscode.view('Sessions');
  const row = (text: string | RegExp) => vscode.treeRow(text, view());
  const rowsAre = (what: string, wanted: (rows: readonly string[]) => boolean) =>
    vscode.rowsAre(view(), what, wanted);
  const rowsHave = (...wanted: readonly RegExp[]) => vscode.rowsHave(view(), wanted);
  /** Starts a command that prints `up` and a number, and waits until its terminal has the keyboard. */
  const startSleep = async (seconds: number, comment = '') => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer(`echo up ${seconds}; exec sleep ${seconds}${comment}`, 'New Session');
    await vscode.terminalHas(new RegExp(`up ${seconds}`));
    await vscode.page.locator('.terminal-wrapper.active .xterm.focus').waitFor();
  };
  /** A row takes its new place a second after its end: VS Code takes the keyboard away from it, and closes menus. */
  const closedHas = (name: string) =>
    rowsAre(`${name} below what is closed`, (rows) => {
      const closed = rows.findIndex((text) => text.startsWith('Closed'));
      return closed >= 0 && rows.findIndex((text) => text.includes(name)) > closed;
    });
  const press = (key: string) => vscode.page.keyboard.press(key);
  const focused = () => view().locator('.monaco-list-row.focused').first();
  const focusedRow = () => focused().innerText();
  /** Moves the keyboard to a row with the arrow keys, which selects nothing. */
  const focusRow = async (text: RegExp) => {
    await view().locator('.monaco-list').first().focus();
    await press('Home');
    let place: string | null = null;
    await until(`the keyboard is at ${String(text)}`, async () => {
      if (text.test(await focusedRow())) return true;
      const before = place;
      place = await focused().getAttribute('data-index');
      // A row that was drawn after the key for it was pressed is found from the top.
      await press(place === before ? 'Home' : 'ArrowDown');
      return false;
    });
  };

  it('finds a session by any word of its whole name', async () => {
    await startSleep(1001, ' # npm run --workspace=packages/web dev');
    await startSleep(1002, ' # npm run --workspace=packages/api dev');
    await rowsHave(/sleep 1001 .*packages\/web dev/, /sleep 1002 .*packages\/api dev/);
    await row(/sleep 1002/).click();
    await press('Control+Alt+f');
    const find = view().locator('.monaco-tree-type-filter input');
    await find.fill('packages/web');
    await rowsHave(/sleep 1001/);
    assert.equal(await view().getByText('No results found').count(), 0);
    await find.press('Escape');
  });

  it('puts the keyboard into the terminal with Enter, on the row that has the keyboard', async () => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('read -p "Name? " name; echo "hello $name"; exec cat', 'New Session');
    await vscode.terminalHas(/Name\?/);
    await row(/sleep 1001/).click();
    await focusRow(/read -p/);
    await press('Enter');
    await vscode.page.locator('.terminal-wrapper.active .xterm.focus').waitFor();
    await vscode.page.keyboard.type('Ada\n');
    await vscode.terminalHas(/hello Ada/);
  });

  it('sees the row of the terminal that is in front', async () => {
    await vscode.page.locator('.tabs-list .monaco-list-row', { hasText: 'sleep 1002' }).click();
    await view().locator('.monaco-list-row.selected', { hasText: 'sleep 1002' }).waitFor();
  });

  it('restarts with a key, in the same terminal and row', async () => {
    await focusRow(/read -p/);
    await press('Control+Shift+F5');
    await rowsAre('it running again, and the old one closed', (rows) => {
      const closed = rows.findIndex((text) => text.startsWith('Closed'));
      const own = rows.flatMap((text, place) => (text.startsWith('read -p') ? [place] : []));
      return closed > 0 && own.length === 2 && (own[0] ?? 0) < closed && (own[1] ?? 0) > closed;
    });
    await row(/read -p/).click();
    await vscode.terminalHas(/hello Ada[\s\S]*running again[\s\S]*Name\?/);
  });

  it('stops with a key what has the keyboard, and nothing else', async () => {
    await row(/sleep 1001/).click();
    await focusRow(/sleep 1002/);
    await press('Shift+F5');
    await rowsHave(/sleep 1002.*stopped · SIGINT/, /sleep 1001.*< 1 m/);
  });

  it('stops one session with a double click on Stop', async () => {
    for (const seconds of [2001, 2002, 2003]) {
      await startSleep(seconds);
    }
    await rowsHave(/sleep 2001/, /sleep 2002/, /sleep 2003/);
    await vscode.stopFromRow(row(/sleep 2002/));
    // The mouse is still there. Whatever is under it now, a click stops nothing, nor does it remove or run anything.
    await vscode.page.mouse.down();
    await vscode.page.mouse.up();
    await closedHas('sleep 2002');
    await rowsHave(/sleep 2001.*< 1 m/, /sleep 2003.*< 1 m/);
    assert.equal((await vscode.treeRows(view())).filter((text) => text.includes('sleep 2002')).length, 1);
  });

  it('has no keys of a session on a group', async () => {
    await focusRow(/^Running/);
    for (const key of ['F2', 'Delete', 'Shift+F5']) {
      await press(key);
    }
    assert.equal(await vscode.page.locator('.quick-input-widget:visible').count(), 0);
    await row(/^Running/).hover();
    assert.equal(
      await row(/^Running/)
        .locator('.action-label')
        .count(),
      0,
    );
    await rowsHave(/sleep 2001.*< 1 m/, /sleep 2003.*< 1 m/);
  });

  it('removes with Delete the row that has the keyboard, with its terminal, and brings it back', async () => {
    const tabs = async () => (await vscode.terminalTabs()).join(' | ');
    await until('the tab is there', async () => (await tabs()).includes('sleep 2002'));
    await row(/sleep 2001/).click();
    await focusRow(/sleep 2002/);
    await press('Delete');
    await vscode.toast(/Moved "echo up 2002.*to Ended Earlier. One terminal was closed/).waitFor();
    // It can be undone for ten seconds alone, so all else is looked at afterwards.
    await vscode.answerToast(/Moved "echo up 2002/, 'Undo');
    await rowsHave(/sleep 2002.*stopped/);
    await until('the tab is gone', async () => !(await tabs()).includes('sleep 2002'));
    await vscode.screenshot('list-1-undo');
  });

  it('starts a line of text that was dropped onto the view, after a look at it', async () => {
    const dropped = await vscode.page.evaluateHandle(`{
      const transfer = new DataTransfer();
      transfer.setData('text/plain', 'echo dropped here; exec sleep 1003');
      transfer;
    }`);
    const list = view().locator('.monaco-list-rows');
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await list.dispatchEvent(type, { dataTransfer: dropped });
    }
    const input = vscode.page.locator('.quick-input-widget input').first();
    await until('the line is there to be edited', async () =>
      (await input.inputValue()).startsWith('echo dropped here'),
    );
    await press('Enter');
    await vscode.terminalHas(/dropped here/);
    await rowsHave(/sleep 1003/);
  });

  it('starts a file whose tab was dragged onto the view', async () => {
    fs.writeFileSync(path.join(drive.base.workspace, "it's.sh"), 'echo dragged here; exec sleep 1004\n', {
      mode: 0o755,
    });
    await press('Control+p');
    await vscode.fillInput("it's.sh");
    await vscode.pick("it's.sh");
    const tab = vscode.page.locator('.tabs-container .tab', { hasText: "it's.sh" });
    await tab.dragTo(view().locator('.monaco-list-rows'));
    const input = vscode.page.locator('.quick-input-widget input').first();
    let line = '';
    await until(
      () => `the file is there to be edited, and not ${line}`,
      async () => (line = await input.inputValue()) === String.raw`'./it'\''s.sh'`,
      20_000,
    );
    await press('Enter');
    await vscode.terminalHas(/dragged here/);
  });

  it('sees below a row what it uses, and copies and opens the address of its port', async () => {
    const port = await freePort();
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer(`exec python3 -m http.server ${port}`, 'New Session');
    await vscode.terminalHas(/Serving HTTP/);
    const server = row(new RegExp(`http.server ${port}`));
    await server.locator('.monaco-tl-twistie').click();
    const address = new RegExp(`^http://localhost:${port}`);
    await rowsHave(/^CPU \d+ % · [\d.]+ MiB\s*1 process/, address);
    await row(address).hover();
    await vscode.screenshot('list-3-usage');
    await vscode.rowAction(row(address), 'Copy Address');
    await until('the address is in the clipboard', async () =>
      (await vscode.page.evaluate<string>('navigator.clipboard.readText()')).includes(String(port)),
    );
    const [page] = await Promise.all([
      vscode.page.context().waitForEvent('page'),
      vscode.rowAction(row(address), 'Open in Browser'),
    ]);
    await page.getByText('Directory listing for').first().waitFor();
    await page.close();
    // The keys of a session are those of its row also while it is expanded, and not of the rows below it.
    await focusRow(address);
    await press('F2');
    // The key selects the row that has the keyboard a moment later.
    await view().locator('.monaco-list-row.selected', { hasText: address }).waitFor();
    await focusRow(new RegExp(`http.server ${port}`));
    await press('F2');
    const name = await vscode.fillInput(
      'my server',
      new RegExp(`Rename "exec python3 -m http.server ${port}`),
    );
    // As VS Code does when it draws a list anew: the box stays, with what was typed.
    await view().locator('.monaco-list').first().focus();
    await name.press('Enter');
    await rowsHave(/^my server/, address);
    await focusRow(/^my server/);
    await press('Shift+F5');
    await rowsAre('its rows gone with it', (rows) => !rows.some((text) => address.test(text)));
  });

  it('sees what changes in a list that never rests', async () => {
    await vscode.palette('Neighbour: Rename Without Rest');
    const names = new Set<string>();
    await until('the row has been drawn again and again', async () => {
      names.add(await row(/restless/).innerText());
      return names.size >= 10;
    });
    await vscode.palette('Neighbour: Rest');
    await vscode.toast(/Restless: over/).waitFor();
    await vscode.closeToasts();
    await closedHas('restless');
  });

  it('opens a session as a tab beside the files', async () => {
    await vscode.rowMenu(row(/sleep 2001/), 'Open in Editor Area');
    await vscode.page.locator('.part.editor .tab', { hasText: 'sleep 2001' }).waitFor();
    await vscode.page.locator('.part.editor .terminal-wrapper').waitFor();
  });

  it('opens a session beside the files, in a column of its own', async () => {
    await vscode.rowMenu(row(/sleep 2003/), 'Open Beside');
    const columns = vscode.page.locator('.part.editor .editor-group-container');
    await columns.nth(1).locator('.tab', { hasText: 'sleep 2003' }).waitFor();
    await columns.nth(1).locator('.xterm-rows').getByText('up 2003').waitFor();
    await columns.nth(0).locator('.tab', { hasText: 'sleep 2001' }).waitFor();
    await vscode.screenshot('list-6-beside');
    await vscode.palette('View: Close All Editors');
    await columns.nth(1).waitFor({ state: 'hidden' });
    await rowsHave(/sleep 2001.*m$/, /sleep 2003.*m$/);
  });

  it('has what was pinned, and is told of the end of what was marked, after a reload of the window', async () => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('until test -e over.txt; do sleep 0.2; done; exit 3', 'New Session');
    await rowsHave(/until test -e/);
    await startSleep(2005);
    const isPinned = (rows: readonly string[]) =>
      /^Pinned\s*1/.test(rows[0] ?? '') && (rows[1] ?? '').includes('sleep 2005');
    await vscode.rowMenu(row(/until test -e/), 'Notify When It Ends');
    await vscode.rowMenu(row(/sleep 2005/), 'Pin');
    await rowsAre('the pinned one first', isPinned);
    await vscode.reloadWindow();
    await vscode.activity('Exec Sessions');
    await rowsAre('the pinned one first again', isPinned);
    // People are told of changes that they do not see.
    await until('the other one is in front', async () => (await vscode.activeTab()).includes('sleep 2005'));
    fs.writeFileSync(path.join(drive.base.workspace, 'over.txt'), '');
    await vscode.toast(/"until test -e.* exited with code 3/).waitFor();
    await vscode.screenshot('list-5-marked');
    await vscode.answerToast(/"until test -e/, 'Show');
    await vscode.terminalHas(/exited with code 3/);
    await vscode.rowMenu(row(/sleep 2005/), 'Unpin');
    await rowsAre('nothing pinned', (rows) => !rows.some((text) => text.startsWith('Pinned')));
  });

  it('has above all others what was pinned with the mouse, until that is taken back with the keyboard', async () => {
    const isPinned = (rows: readonly string[]) =>
      /^Pinned\s*1/.test(rows[0] ?? '') && (rows[1] ?? '').includes('sleep 2003');
    await vscode.rowMenu(row(/sleep 2003/), 'Pin');
    await rowsAre('the pinned one first', isPinned);
    await vscode.screenshot('list-4-pinned');
    await focusRow(/sleep 2003/);
    await press('Shift+F10');
    const entry = vscode.page.locator('.monaco-menu .action-item.focused');
    await until('the keyboard is at Unpin', async () => {
      if ((await entry.allInnerTexts()).some((text) => text.startsWith('Unpin'))) return true;
      await press('ArrowDown');
      return false;
    });
    await press('Enter');
    await rowsAre('it among those that run', (rows) => {
      const own = rows.findIndex((text) => text.includes('sleep 2003'));
      return (rows[0] ?? '').startsWith('Running') && own > 0;
    });
  });

  it('has what succeeded out of sight, until that is expanded with the keyboard or the mouse', async () => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('echo fine 2004', 'New Session');
    const without = (rows: readonly string[]) => !rows.some((text) => text.includes('fine 2004'));
    await rowsAre(
      'only its group',
      (rows) => rows.some((text) => /^Succeeded\s*\d/.test(text)) && without(rows),
    );
    await focusRow(/^Succeeded/);
    await press('ArrowRight');
    await rowsHave(/fine 2004/);
    await row(/^Succeeded/).click();
    await rowsAre('it collapsed again', without);
    await row(/^Succeeded/).click();
    await rowsHave(/fine 2004/);
  });

  it('is asked whether a second copy is meant of what runs', async () => {
    await startSleep(2006);
    const question = /"echo up 2006; exec sleep 2006" is still running/;
    await vscode.rowMenu(row(/sleep 2006/), 'Run Again');
    await vscode.dialog.filter({ hasText: question }).waitFor();
    await vscode.screenshot('list-7-second-copy');
    await vscode.answerDialog(question, 'Cancel');
    await vscode.rowMenu(row(/sleep 2006/), 'Run Again');
    await vscode.answerDialog(question, 'Start a Second Copy');
    await rowsAre('both of them', (rows) => rows.filter((text) => /sleep 2006.*m$/.test(text)).length === 2);
    await vscode.terminalHas(/up 2006/);
  });

  it('closes the terminals of what has ended by the menu of the view, and its rows stay', async () => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer('echo over 2007; exit 5', 'New Session');
    await vscode.terminalHas(/over 2007[\s\S]*press R/);
    // A row takes its place a second after its end.
    const names = (rows: readonly string[]) => {
      const closed = rows.slice(rows.findIndex((text) => text.startsWith('Closed')));
      return closed.map((text) => text.replace(/(exit \d|stopped|SIG).*/, ''));
    };
    await rowsAre('what failed among what is closed', (rows) =>
      names(rows).some((text) => text.includes('over 2007')),
    );
    const tabs = async () => (await vscode.terminalTabs()).join(' | ');
    await until('the tab is there', async () => /✗.*over 2007/.test(await tabs()));
    const before = names(await vscode.treeRows(view()));
    await chooseFromButton(
      vscode,
      vscode.page.locator('.part.sidebar .action-label[aria-label^="Views and More Actions"]'),
      'Close Ended Terminals',
    );
    await until('only those of what runs are there', async () => !/[✗■✓]/.test(await tabs()));
    assert.match(await tabs(), /sleep 2006.* \| .*sleep 2006/);
    await vscode.screenshot('list-8-closed');
    assert.deepEqual(names(await vscode.treeRows(view())), before);
  });

  it('clears what is closed with the mouse, and brings all of it back with a key', async () => {
    await focusRow(/^Closed/);
    const closed = (rows: readonly string[]) => rows.filter((text) => /^(Closed|Succeeded)\s*\d/.test(text));
    const before = closed(await vscode.treeRows(view()));
    assert.equal(before.length, 2);
    await vscode.rowAction(row(/^Closed/), 'Clear Closed');
    await vscode.toast(/Moved .*to Ended Earlier/).waitFor();
    await view().locator('.monaco-list').first().focus();
    await press('Control+z');
    await rowsAre('all of it again', (rows) => closed(rows).join() === before.join());
    await vscode.closeToasts();
  });

  it('finds the setting with Open Settings, in a window whose machine is another one', async () => {
    await vscode.palette('Exec Sessions: Connect to Environment…');
    await vscode.answerToast(/no environment besides this machine/, 'Open Settings');
    await vscode.page
      .locator('.settings-editor .setting-item-contents', { hasText: 'Environments' })
      .waitFor();
    await vscode.screenshot('list-2-settings');
    await vscode.palette('View: Close All Editors');
  });
});
