import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { sessionServersOf } from '../support/sessionServers.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { extensionHost } from './hosts.js';
import { until, type Workbench } from './workbench.js';

const counting = (name: string) => ({
  commandLine: 'i=0; while :; do i=$((i+1)); echo "n $i"; sleep 0.1; done',
  title: `count ${name}`,
});

/** The sessions of a day: most of them print all the time, two draw on the whole screen, one has no terminal. */
const SESSIONS = [
  counting('a'),
  counting('b'),
  { commandLine: 'vim -u NONE -N draft.txt', title: 'the editor' },
  { commandLine: 'top -d 1', title: 'the monitor' },
  { ...counting('on pipes'), tty: false, show: false },
  { ...counting('unseen'), show: false },
  { commandLine: 'echo "it is over"; exit 3', title: 'the end', show: false },
  { commandLine: 'less +5 draft.txt', title: 'the pager' },
  { commandLine: 'PS1="mine> " bash --norc --noprofile', title: 'the shell' },
  counting('c'),
];

const SHOWN = SESSIONS.flatMap(({ title, ...rest }) => ('show' in rest ? [] : [title]));
const COUNTING = SESSIONS.filter(({ title }) => title.startsWith('count')).length;

/** A window that goes away, by every way that there is, and the sessions that go on. */
describe('A person who comes back', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive({ neighbour: true });
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
        tabs = await vscode.terminalTabs();
        return tabs.join() === wanted.join();
      },
    );
  };
  const rowsHave = async (...wanted: readonly RegExp[]) => {
    let rows: string[] = [];
    await until(
      () => `the tree shows ${wanted.join(' and ')}; it has: ${rows.join(' | ')}`,
      async () => {
        rows = await vscode.treeRows(sessions());
        return wanted.every((one) => rows.some((text) => one.test(text)));
      },
    );
  };

  it('starts ten sessions', async () => {
    await says('Start Many', /Many: 10 started/);
    await rowsHave(/^Running\s*9$/, /the end.*exit 3/);
    await tabsAre(SHOWN);
    await vscode.screenshot('back-1-before');
  });

  it('finds all of them after a reload', async () => {
    const at = Date.now();
    await vscode.reload();
    console.log('drawn', Date.now() - at);
    await rowsHave(/^Running\s*9$/, /the end.*exit 3/);
    console.log('rows', Date.now() - at);
    await tabsAre(SHOWN);
    console.log('tabs', Date.now() - at);
    await vscode.screenshot('back-2-reload');
    await says('Check the Numbers', new RegExp(`Numbers: ${COUNTING} count on$`));
    assert.equal(sessionServersOf(drive.base.folder).length, 1);
  });

  it('finds all of them after the extension host was killed', async () => {
    process.kill(await extensionHost(drive.base.marker), 'SIGKILL');
    await rowsHave(/^Running\s*9$/, /the end.*exit 3/);
    await tabsAre(SHOWN);
    await vscode.screenshot('back-3-host');
    await says('Check the Numbers', new RegExp(`Numbers: ${COUNTING} count on$`));
  });
});
