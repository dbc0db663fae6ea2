import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Locator } from 'playwright-core';
import { freePort } from '../support/freePort.js';
import { chooseFromButton } from './buttonMenu.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

/** The features of VS Code's terminals, in the terminals of sessions. */
describe('A person in the terminals of sessions', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive();
    vscode = drive.workbench;
    const folder = path.join(drive.base.workspace, 'src');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'deep.ts'), 'first line\nsecond line\nthird line\n');
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const startSession = async (commandLine: string) => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer(commandLine, 'New Session');
  };
  /** Follows a link in the terminal until the editor is at a place. */
  const follow = (text: string, place: string) =>
    vscode.followLink(text, () => vscode.statusItem(place).isVisible());

  it('opens a file at the line that a compiler names, relative to the directory of the session', async () => {
    // The tooltip of a link in the first lines would cover it, since above it is no room.
    await startSession(`cd src; printf '\\n\\n\\n\\n./src/deep.ts:2\\nsrc/deep.ts:3:5\\n'; sleep 1000`);
    await vscode.terminalHas(/deep\.ts:3:5/);
    await follow('./src/deep.ts:2', 'Ln 2, Col 1');
    await vscode.screenshot('terminals-1-link');
    await follow('src/deep.ts:3:5', 'Ln 3, Col 5');
  });

  it('interrupts with Ctrl+C what runs', async () => {
    await startSession('echo up 1001; exec sleep 1001');
    await vscode.terminalHas(/up 1001/);
    await vscode.pressInTerminal('Control+C');
    await vscode.terminalHas(/ended by SIGINT/);
  });

  it('begins with the last size of the panel where that is closed', async () => {
    const sizeIn = (text: string, when: string) =>
      new RegExp(`${when} (\\d+) (\\d+)`).exec(text)?.slice(1) ?? [];
    const asked = (before: string, after: string) =>
      `echo "${before} $(stty size)"; read word; echo "${after} $(stty size)"; exec sleep 1009`;
    await startSession(asked('opened', 'open'));
    await vscode.terminalHas(/opened \d+ \d+/);
    await vscode.typeInTerminal('go on');
    const open = sizeIn(await vscode.terminalHas(/open \d+ \d+/), 'open');
    await vscode.palette('View: Hide Panel');
    await vscode.page.locator('.part.panel').waitFor({ state: 'hidden' });
    await startSession(asked('first', 'later'));
    await vscode.terminalHas(/first \d+ \d+/);
    await vscode.typeInTerminal('go on');
    const text = await vscode.terminalHas(/later \d+ \d+/);
    assert.deepEqual(sizeIn(text, 'first'), open);
    // Whenever VS Code opens its panel, it gives a terminal there one row less, its own as well.
    assert.equal(sizeIn(text, 'later')[1], open[1]);
  });

  it('finds text in it', async () => {
    await startSession(`for word in one two one; do echo "word $word here"; done; exec sleep 1000`);
    await vscode.terminalHas(/two here\s+word one here/);
    await vscode.pressInTerminal('Control+F');
    const find = vscode.page.locator('.terminal-wrapper.active .simple-find-part');
    // Keys before that go to the program.
    await find.locator('.monaco-inputbox.synthetic-focus').waitFor();
    await vscode.page.keyboard.type('one here');
    const count = find.locator('.matchesCount');
    await until('both places are found', async () => (await count.innerText()).includes(' of 2'));
    await vscode.page.keyboard.press('Escape');
  });

  it('sees wide characters and emoji in their columns, and colours', async () => {
    await startSession(
      String.raw`for text in abcd 漢字 '😀ab'; do printf '%s\033[31m|\033[0m\n' "$text"; done; exec sleep 1000`,
    );
    await vscode.terminalHas(/abcd\|[\s\S]*漢字\|[\s\S]*😀ab\|/);
    // A bar is an element of its own, since it has a colour of its own.
    const bars = vscode.page.locator('.terminal-wrapper.active .xterm-rows').getByText('|', { exact: true });
    const places = await bars.all();
    const columns = await Promise.all(places.map(async (bar) => (await bar.boundingBox())?.x ?? Number.NaN));
    const [first = Number.NaN] = columns;
    assert.equal(columns.length, 3);
    // Half a column is less than any character is wide.
    for (const column of columns) assert.ok(Math.abs(column - first) < 4, columns.join(' '));
  });

  it('copies what a progress bar has drawn as one line', async () => {
    await startSession(
      String.raw`for i in $(seq 3000); do printf '\r[%d of 3000]' $i; done; echo; echo over`,
    );
    await vscode.terminalHas(/over[\s\S]*press R/);
    await vscode.palette('Exec Sessions: Copy Output');
    await vscode.pick(/seq 3000/);
    await until('the output is in the clipboard', async () => {
      const copied = await vscode.page.evaluate<string>('navigator.clipboard.readText()');
      return copied.trim() === '[3000 of 3000]\nover';
    });
  });

  const view = () => vscode.view('Sessions');
  const row = (text: string) => vscode.treeRow(text, view());
  let serverPort = 0;
  /** A page of the server arrives. */
  const answers = async (port: number) => {
    const page = await fetch(`http://127.0.0.1:${port}/`);
    assert.match(await page.text(), /readme\.txt/);
  };

  const shown = () => vscode.page.locator('.terminal-wrapper.active');
  const clipboardIs = (wanted: string) =>
    until('it is in the clipboard', async () => {
      const copied = await vscode.page.evaluate<string>('navigator.clipboard.readText()');
      return copied.trim() === wanted;
    });
  const editorTab = (text: RegExp) => vscode.page.locator('.part.editor .tab', { hasText: text });
  const fromMenu = async (target: Locator, entry: string) => {
    await target.click({ button: 'right' });
    await vscode.chooseFromMenu(entry);
  };

  it('sees beside a command whether it failed, and how', async () => {
    await startSession('echo no luck; exit 7');
    await vscode.terminalHas(/exited with code 7/);
    const decoration = shown().locator('.terminal-command-decoration.error');
    assert.match(await vscode.hover(decoration), /failed \(Exit Code 7\)/);
    await vscode.screenshot('terminals-2-failed');
  });

  it('goes from run to run of a command with Ctrl+Up and Ctrl+Down', async () => {
    await startSession('seq 101 300; read line; exit 3');
    await vscode.terminalHas(/300$/);
    await vscode.typeInTerminal('one');
    await vscode.terminalHas(/one\s+exited with code 3[\s\S]*press R/);
    await vscode.pressAfterEnd('r', async () => !(await vscode.terminalText()).includes('exited'));
    await vscode.terminalHas(/300$/);
    await vscode.typeInTerminal('two');
    await vscode.terminalHas(/two\s+exited with code 3[\s\S]*press R/);
    const press = async (key: string, what: string, isThere: (lines: readonly string[]) => boolean) => {
      await vscode.page.keyboard.press(key);
      let lines: readonly string[] = [];
      await until(
        () => `${key} leads to ${what}; the terminal has:\n${lines.join('\n')}\n`,
        async () => isThere((lines = await vscode.terminalLines())),
      );
    };
    const isSecond = (lines: readonly string[]) => lines.some((line) => line.startsWith('running again'));
    await press('Control+ArrowUp', 'the second run', (lines) => isSecond(lines) && lines.includes('101'));
    await vscode.screenshot('terminals-5-run');
    await press('Control+ArrowUp', 'the first run', (lines) => lines[0] === '101');
    await press('Control+ArrowDown', 'the second run', isSecond);
    await press('Control+ArrowDown', 'the end', (lines) => lines.includes('two'));
  });

  it('sees the last line of a flood, and its row at its end', async () => {
    await vscode.activity('Exec Sessions');
    await startSession('seq 1000000; exit 6');
    await vscode.terminalHas(/999999\s+1000000\s+exited with code 6[\s\S]*press R/);
    await vscode.rowsHave(view(), [/seq 1000000.*exit 6/]);
  });

  it('restarts a server from its row, at its port and in its terminal', async () => {
    serverPort = await freePort();
    const command = `exec python3 -m http.server ${serverPort}`;
    await vscode.activity('Exec Sessions');
    await startSession(command);
    await vscode.terminalHas(/Serving HTTP/);
    await answers(serverPort);
    await vscode.rowAction(row(command), 'Restart');
    await vscode.terminalHas(/Serving HTTP[\s\S]*running again[\s\S]*Serving HTTP/);
    await answers(serverPort);
    const is = (text: string) => text.startsWith(command);
    const runs = (text: string) => is(text) && text.endsWith(' m');
    await vscode.rowsAre(view(), 'the new one above what is closed, and the one of before there', (rows) => {
      const closed = rows.findIndex((text) => text.startsWith('Closed'));
      const isAbove = rows.findIndex(runs) < closed && rows.findLastIndex(is) > closed;
      return isAbove && rows.filter(runs).length === 1 && rows.filter(is).length === 2;
    });
    assert.equal((await vscode.terminalTabs()).filter((text) => text.includes(command)).length, 1);
    await vscode.screenshot('terminals-7-server');
  });

  it('is led by one message from a server whose port is taken to the one that has it', async () => {
    const wanting = (file: string, command: string) =>
      startSession(`until test -e ${file}; do sleep 0.2; done; exec ${command}`);
    const code = `require('node:http').createServer().listen(${serverPort})`;
    await wanting('go-1.txt', `node -e "${code}"`);
    await wanting('go-2.txt', 'false');
    for (const file of ['go-1.txt', 'go-2.txt']) await vscode.rowMenu(row(file), 'Notify When It Ends');
    await startSession('echo in front 1008; exec sleep 1008');
    await vscode.terminalHas(/in front 1008/);
    const end = (file: string) => fs.writeFileSync(path.join(drive.base.workspace, file), '');
    // The list of notifications also keeps those without an answer.
    const notices = vscode.page.locator('.notifications-list-container .notification-list-item');
    const taken = notices.filter({ hasText: `Port ${serverPort}, which "until test -e go-1.txt` });
    await vscode.palette('Notifications: Show Notifications');
    end('go-1.txt');
    await taken.waitFor();
    // Ends are told of in their order: once this one is, the other would have been.
    end('go-2.txt');
    await notices.filter({ hasText: /go-2.txt.* exited with code 1/ }).waitFor();
    await vscode.screenshot('terminals-8-port');
    assert.equal(await notices.filter({ hasText: 'go-1.txt' }).count(), 1);
    await taken.hover();
    await taken.getByRole('button', { name: 'Show', exact: true }).click();
    await vscode.terminalHas(/running again[\s\S]*Serving HTTP/);
    // Rows keep their place for a second after the end: a click before that may hit the one that moves up.
    await vscode.rowsAre(view(), 'both among what is closed', (rows) => {
      const closed = rows.findIndex((text) => text.startsWith('Closed'));
      const places = ['go-1.txt', 'go-2.txt'].map((file) => rows.findIndex((text) => text.includes(file)));
      return closed >= 0 && places.every((place) => place > closed);
    });
    await row('go-1.txt').click();
    await vscode.terminalHas(/EADDRINUSE/);
    await vscode.closeToasts();
  });

  it('has in the menu of a terminal what can be done to its session', async () => {
    await startSession('echo written 1005; exec sleep 1005');
    await vscode.terminalHas(/written 1005/);
    await shown().click({ button: 'right' });
    await vscode.screenshot('terminals-3-menu');
    await vscode.chooseFromMenu('Copy Output');
    await clipboardIs('written 1005');
    await fromMenu(shown(), 'Open Output as Document');
    await editorTab(/echo written 1005/).waitFor();
    await fromMenu(shown(), 'Restart');
    await vscode.terminalHas(/running again[\s\S]*written 1005/);
    await fromMenu(shown(), 'Stop');
    await vscode.terminalHas(/running again[\s\S]*written 1005[\s\S]*ended by SIGINT/);
  });

  it('does what the menu of a tab says to the session of that tab, also while another is in front', async () => {
    for (const number of [1006, 1007]) {
      await startSession(`echo written ${number}; exec sleep ${number}`);
      await vscode.terminalHas(new RegExp(`written ${number}`));
    }
    const tab = vscode.terminalTab('sleep 1006');
    await tab.click({ button: 'right' });
    await vscode.screenshot('terminals-4-tab-menu');
    await vscode.chooseFromMenu('Copy Output');
    await clipboardIs('written 1006');
    await fromMenu(tab, 'Open Output as Document');
    await editorTab(/sleep 1006/).waitFor();
    await fromMenu(tab, 'Rename...');
    await vscode.page.locator('.part.panel .tabs-list input').fill('by its tab');
    await vscode.page.keyboard.press('Enter');
    const renamed = vscode.terminalTab('by its tab');
    await fromMenu(renamed, 'Restart');
    await renamed.click();
    await vscode.terminalHas(/running again[\s\S]*written 1006/);
    await vscode.terminalTab('sleep 1007').click();
    await vscode.terminalHas(/written 1007/);
    await fromMenu(renamed, 'Stop');
    await renamed.filter({ hasText: '■' }).waitFor();
    assert.doesNotMatch(await vscode.terminalText(), /ended by/);
  });

  it('does in the editor area what the menu of a terminal says, to the session in front', async () => {
    for (const number of [1008, 1009]) {
      await startSession(`echo written ${number}; exec sleep ${number}`);
      await vscode.terminalHas(new RegExp(`written ${number}`));
      await vscode.palette('Exec Sessions: Open in Editor Area');
      await vscode.pick(new RegExp(`sleep ${number}`));
      await editorTab(new RegExp(`sleep ${number}`)).waitFor();
    }
    const inFront = vscode.page.locator('.part.editor .terminal-wrapper.active');
    for (const number of [1008, 1009]) {
      await editorTab(new RegExp(`sleep ${number}`)).click();
      const terminal = inFront.filter({ hasText: `written ${number}` });
      await chooseFromButton(vscode, terminal, 'Copy Output', { button: 'right' });
      await clipboardIs(`written ${number}`);
      await chooseFromButton(vscode, terminal, 'Stop', { button: 'right' });
      await editorTab(new RegExp(`sleep ${number}`))
        .filter({ hasText: '■' })
        .waitFor();
    }
    await vscode.palette('Exec Sessions: Close Ended Terminals');
    await editorTab(/sleep 100[89]/)
      .first()
      .waitFor({ state: 'detached' });
  });

  it('makes a session of the profile beside +, and of the key that splits', async () => {
    await vscode.activity('Exec Sessions');
    const rows = () => vscode.treeRows(vscode.view('Sessions'));
    const shells = async () => (await rows()).filter((text) => /^(bash|sh)\b/.test(text)).length;
    const shellsAre = (wanted: number) =>
      until(`there are ${wanted} shells`, async () => (await shells()) === wanted);
    const profiles = vscode.page.locator('.part.panel .action-label[aria-label^="Launch Profile"]');
    await chooseFromButton(vscode, profiles, 'Exec Session');
    await shellsAre(1);
    await vscode.terminalHas(/[$#]$/);
    await vscode.pressInTerminal('Control+Shift+5');
    await shellsAre(2);
    await vscode.screenshot('terminals-6-split');
  });

  it('runs a session from a terminal of VS Code, and stops it from the list', async () => {
    await vscode.palette('Terminal: Create New Terminal');
    await vscode.typeInTerminal(
      'exec-sessions run --title from-here -- sh -c "echo up 1002; exec sleep 1002"; echo "ended $?"',
    );
    await vscode.terminalHas(/up 1002/);
    await vscode.activity('Exec Sessions');
    await vscode.stopFromRow(vscode.treeRow('from-here', vscode.view('Sessions')));
    await vscode.terminalHas(/ended 130/);
    // The sessions of the extension have it as well.
    await startSession('exec-sessions ls --all; exec sleep 1003');
    await vscode.terminalHas(/SIGINT .*from-here/);
  });
});
