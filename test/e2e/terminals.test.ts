import fs from 'node:fs';
import path from 'node:path';

import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until, type Workbench } from './workbench.js';

/** What VS Code offers in a terminal, in the terminals of sessions. */
describe('A person in the terminals of sessions', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive({ settings: { 'terminal.integrated.shellIntegration.enabled': true } });
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
  const follow = async (text: string, place: string) => {
    await until(`"${text}" leads to ${place}`, async () => {
      const line = vscode.page
        .locator('.terminal-wrapper.active .xterm-rows > div', { hasText: text })
        .last();
      const box = await line.boundingBox();
      if (box === null) return false;
      await vscode.page.mouse.move(box.x + 40, box.y + box.height / 2 + 60);
      await vscode.page.mouse.move(box.x + 20, box.y + box.height / 2, { steps: 5 });
      await vscode.page.waitForTimeout(300);
      await vscode.page.keyboard.down('Control');
      await vscode.page.mouse.click(box.x + 20, box.y + box.height / 2);
      await vscode.page.keyboard.up('Control');
      return until('at the place', () => vscode.statusItem(place).isVisible(), 3000).then(
        () => true,
        () => false,
      );
    });
  };

  it('opens a file at the line that a compiler names, relative to the directory of the session', async () => {
    // The tooltip of a link in the first lines would cover it, since above it is no room.
    await startSession(`cd src; printf '\\n\\n\\n\\n./src/deep.ts:2\\nsrc/deep.ts:3:5\\n'; sleep 1000`);
    await vscode.terminalHas(/deep\.ts:3:5/);
    await follow('./src/deep.ts:2', 'Ln 2, Col 1');
    await vscode.screenshot('terminals-1-link');
    await follow('src/deep.ts:3:5', 'Ln 3, Col 5');
  });
});
