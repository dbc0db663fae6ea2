import assert from 'node:assert/strict';
import path from 'node:path';

import { callTool } from '../mcp/reply.js';
import { chooseFromButton } from './buttonMenu.js';
import { hasLoaded, pictureOfFailure, startDrive, type Drive } from './harness.js';
import { asAgentOutside } from './outsideAgent.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

/** Asks the terminal five times where the cursor is, and says whether there was an answer too many. */
const ASKING = [
  'read -r name; echo "hello $name"; stty -icanon -echo',
  `for i in 1 2 3 4 5; do printf '\\e[6n'; IFS= read -rd R answer; done`,
  'if IFS= read -rt 2 -d R answer; then echo answered twice; else echo answered once; fi; sleep 1000',
].join('; ');

/** Two windows of one person, which show the same sessions. */
describe('A person with two windows', () => {
  let drive: Drive;
  let one: Workbench;
  let other: Workbench;

  before(async () => {
    drive = await startDrive({ neighbour: true, settings: { 'execSessions.local.backend': 'server' } });
    one = drive.workbench;
    other = await drive.openWindow();
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
    if (this.currentTest?.isFailed() === true) await other.screenshot('failed-other-window');
  });

  const row = (window: Workbench, text: string | RegExp) => window.treeRow(text, window.view('Sessions'));

  it('has nothing but the entry in each while nobody uses it', async () => {
    await hasLoaded(one);
    await hasLoaded(other);
    await one.activity('Exec Sessions');
    await other.activity('Exec Sessions');
  });

  it('types in one what was started in the other, and its program is answered once', async () => {
    await one.palette('Exec Sessions: New Session…');
    await one.answer(ASKING, 'New Session');
    await row(other, /read -r name/).click();
    await other.typeInTerminal('Ada');
    await other.terminalHas(/hello Ada\nanswered once/);
    await one.terminalHas(/hello Ada\nanswered once/);
    await other.screenshot('two-windows-1');
  });

  it('takes control in one of what an agent has started in the other', async () => {
    await one.palette('Neighbour: Start by the Tool');
    await one.answerDialog('Run this command?', 'Yes');
    await one.toast(/Tool: /).waitFor();
    await other.rowMenu(row(other, 'by the tool'), 'Take Control');
    await row(one, /by the tool.*you control/i).waitFor();
    await row(other, /by the tool.*you control/i).waitFor();
  });

  it('takes control in one of what an agent outside of both has started, which is told, and the other window shows it', async () => {
    await asAgentOutside(drive.base, drive.base.workspace, async (agent) => {
      const { session } = await callTool(agent, 'exec_command', {
        argv: ['cat'],
        title: 'from outside',
        stdin: true,
        yield_time_ms: 0,
      });
      const type = () => callTool(agent, 'write_stdin', { session, chars: 'x\n' });
      assert.doesNotMatch((await type()).text, /a person has control/);
      await other.rowMenu(row(other, 'from outside'), 'Take Control');
      for (const window of [one, other]) await row(window, /from outside.*you control/i).waitFor();
      assert.match((await type()).text, /^Nothing was sent: a person has control/m);
      await other.rowMenu(row(other, 'from outside'), 'Give Back Control');
      await until(
        'the agent may type again',
        async () => !(await type()).text.includes('a person has control'),
      );
    });
  });

  it('keeps what that agent has left running by its row in one, and takes that back by its row in the other', async () => {
    const rowsSay = (words: RegExp) =>
      Promise.all([one, other].map((window) => window.rowsHave(window.view('Sessions'), [words])));
    await one.page.bringToFront();
    await one.rowMenu(row(one, 'from outside'), 'Keep Running');
    await rowsSay(/^from outside.* · agent · kept running$/);
    await other.page.bringToFront();
    await other.rowMenu(row(other, 'from outside'), 'Do Not Keep Running');
    await rowsSay(/^from outside.* · agent$/);
  });

  it('has what runs in another folder apart, or in place as the menu of the view says, and not in the number on the icon', async () => {
    await one.page.bringToFront();
    const badge = one.page.locator('.activitybar .action-item:has([aria-label^="Exec Sessions"]) .badge');
    const shows = async (what: string, wanted: (rows: readonly string[]) => boolean) => {
      await one.rowsAre(one.view('Sessions'), what, wanted);
      await badge.filter({ hasText: /^3$/ }).waitFor();
    };
    const choose = (entry: string) =>
      chooseFromButton(
        one,
        one.page.locator('.part.sidebar .action-label[aria-label^="Views and More Actions"]'),
        entry,
      );
    const has = (rows: readonly string[], ...wanted: readonly RegExp[]) =>
      wanted.every((one) => rows.some((text) => one.test(text)));
    const there = new RegExp(`^in another folder.*${path.basename(drive.base.folder)}`);
    const isHidden = (rows: readonly string[]) =>
      has(rows, /^Running\s*3$/, /^Elsewhere\s*1 · 1 running$/) && !has(rows, there);
    await asAgentOutside(drive.base, drive.base.folder, async (agent) => {
      const input = { cmd: 'sleep 1000', title: 'in another folder', yield_time_ms: 0 };
      await callTool(agent, 'exec_command', input);
    });
    await shows('it collapsed', isHidden);
    await row(one, /^Elsewhere/).click();
    await shows('it with its folder', (rows) => has(rows, /^Running\s*3$/, /^Elsewhere/, there));
    await row(one, /^Elsewhere/).click();
    await shows('it collapsed again', isHidden);
    await choose('Show Other Folders in Place');
    await shows(
      'it among the others',
      (rows) => has(rows, /^Running\s*4$/, /^in another folder/) && !has(rows, /^Elsewhere/),
    );
    await choose('Show Other Folders Apart');
    await shows('it apart again', isHidden);
  });

  it('stops in one what was started in the other', async () => {
    await other.page.bringToFront();
    await other.stopFromRow(row(other, /by the tool/));
    await row(one, /by the tool.*SIG/).waitFor();
  });
});
