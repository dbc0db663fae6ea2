import assert from 'node:assert/strict';

import { callTool } from '../mcp/reply.js';
import { until } from '../support/processes.js';
import { hasLoaded, pictureOfFailure, startDrive, type Drive } from './harness.js';
import { asAgentOutside } from './outsideAgent.js';
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
      await until(async () => !(await type()).text.includes('a person has control'));
    });
  });

  it('stops in one what was started in the other', async () => {
    await other.stopFromRow(row(other, /by the tool/));
    await row(one, /by the tool.*SIG/).waitFor();
  });
});
