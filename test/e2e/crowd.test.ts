import fs from 'node:fs';
import path from 'node:path';

import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { manySessions } from './pictures/crowd.js';
import { appears, holds, until } from './waits.js';
import type { Workbench } from './workbench.js';

/** The list with fifty sessions: 22 run, 14 have failed and 14 have not; 9 are of one agent and 8 of another. */
describe('A person with fifty sessions', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive({ neighbour: true });
    vscode = drive.workbench;
    const crowd = manySessions().map((start) => ({ ...start, environment: undefined, show: false }));
    fs.writeFileSync(path.join(drive.base.workspace, 'crowd.json'), JSON.stringify(crowd));
    await vscode.activity('Exec Sessions');
    await vscode.palette('Neighbour: Start a Crowd');
    await vscode.toast(/Crowd: 50 started/).waitFor();
    await vscode.closeToasts();
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const view = () => vscode.view('Sessions');
  /** Collapses the groups, since the page has only the rows in sight, and looks which groups exist. */
  const groupsAre = (...wanted: readonly RegExp[]) =>
    until(`the groups are ${wanted.join()}`, async () => {
      await view().locator('.monaco-list').first().focus();
      await vscode.page.keyboard.press('Control+ArrowLeft');
      const rows = await vscode.treeRows(view());
      return rows.length === wanted.length && wanted.every((one, index) => one.test(rows[index] ?? ''));
    });
  /** VS Code hides a list to choose from when something else takes the keyboard: it is opened again then. */
  const choose = (command: string, label: string) =>
    until(`"${label}" is chosen`, async () => {
      await vscode.palette(`Exec Sessions: ${command}`);
      const item = vscode.quickRow(label);
      return (await appears(item, 5_000)) && holds(item.click({ timeout: 5_000 }));
    });

  it('sees what runs, what failed, and what succeeded, counted', async () => {
    await vscode.rowsHave(view(), [/^Running\s*22$/, /^Closed\s*14$/]);
    await vscode.screenshot('crowd-1-state');
    await groupsAre(/^Running\s*22$/, /^Closed\s*14$/, /^Succeeded\s*14$/);
  });

  it('groups them by their owner, and by their state again', async () => {
    await choose('Group By…', 'Owner');
    await vscode.rowsHave(view(), [/extension\s*33$/]);
    await vscode.screenshot('crowd-2-owner');
    await groupsAre(/extension\s*33$/, /^Claude Code\s*9$/, /^Codex\s*8$/);
    await choose('Group By…', 'State');
    await vscode.rowsHave(view(), [/^Running\s*22$/]);
  });

  it('filters them by what failed and by agents, as the view says, and sees all of them again', async () => {
    await choose('Filter…', 'Failed');
    await vscode.rowsAre(view(), 'what failed', (rows) => /^Closed\s*14$/.test(rows[0] ?? ''));
    await choose('Filter…', 'Started by agents');
    await vscode.rowsAre(
      view(),
      'what of agents failed',
      (rows) =>
        /^Closed\s*4$/.test(rows[0] ?? '') &&
        rows.length === 5 &&
        rows.slice(1).every((text) => text.endsWith('agent')),
    );
    await view().getByText('Filter: by agents, failed').waitFor();
    await vscode.screenshot('crowd-3-filtered');
    await vscode.palette('Exec Sessions: Clear Filter');
    await vscode.rowsHave(view(), [/^Running\s*22$/]);
  });

  it('finds one of them by a part of its name', async () => {
    await view().locator('.monaco-list').first().focus();
    await vscode.page.keyboard.press('Control+Alt+f');
    const find = view().locator('.monaco-tree-type-filter input');
    await find.fill('parser --lib -- tests::deeply::nested::module #10');
    await view()
      .locator('.monaco-list-row.focused', { hasText: /cargo test .*module #10/ })
      .waitFor();
    await vscode.screenshot('crowd-4-found');
    await find.press('Escape');
  });
});
