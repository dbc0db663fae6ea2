import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { root } from '../rig/paths.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

/** The texts of package.json, and the steps of the walkthrough with a button of each. */
const TEXTS = JSON.parse(fs.readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<
  string,
  string
>;
const STEPS = [
  { step: 'start', button: 'New Session…' },
  { step: 'return', button: 'Show the Sessions' },
  { step: 'stop', button: 'Stop a Session' },
  { step: 'elsewhere', button: 'Add Environment…' },
] as const;
const titleOf = (step: string) => TEXTS[`walkthrough.${step}.title`] ?? assert.fail(step);
const pictureOf = (step: string) => TEXTS[`walkthrough.${step}.picture`] ?? assert.fail(step);

/** A picture in the page: the compiler knows no windows. */
interface Picture {
  readonly complete: boolean;
  readonly naturalWidth: number;
}

/** The messages and explanations that the extension shows by itself. */
describe('A person who is told and shown what happens', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive();
    vscode = drive.workbench;
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const view = () => vscode.view('Sessions');
  const row = (text: string | RegExp) => vscode.treeRow(text, view());
  const startSession = async (commandLine: string, shown: RegExp) => {
    await vscode.palette('Exec Sessions: New Session…');
    await vscode.answer(commandLine, 'New Session');
    await vscode.terminalHas(shown);
  };
  /** A command that says `up` and its name, and fails once it is told to. */
  const untilTold = (name: string, code: number) =>
    `echo up ${name}; until [ -e ${name} ]; do sleep 0.1; done; rm ${name}; echo gone; exit ${code}`;
  const tell = (name: string) => fs.writeFileSync(path.join(drive.base.workspace, name), '');
  const toasts = () => vscode.page.locator('.notification-toast');

  describe('in the walkthrough', () => {
    const walkthrough = () => vscode.page.locator('.gettingStartedContainer');
    const step = (title: string) => walkthrough().locator('.getting-started-step', { hasText: title });

    before(() => vscode.page.setViewportSize({ width: 1700, height: 900 }));

    after(() => vscode.page.setViewportSize({ width: 1280, height: 800 }));

    it('is led through the first steps, with pictures, and sees which of them are done', async () => {
      await vscode.palette('Welcome: Open Walkthrough...');
      await vscode.pick('Get Started with Exec Sessions');
      for (const { step: name, button } of STEPS.toReversed()) {
        const title = titleOf(name);
        await step(title).click();
        await step(title).getByRole('button', { name: button }).waitFor();
        const shown = walkthrough().locator(`.getting-started-media img[alt="${pictureOf(name)}"]:visible`);
        await until(`"${title}" has its picture`, () =>
          shown
            .evaluate((image: Picture) => image.complete && image.naturalWidth > 0, undefined, {
              timeout: 1_000,
            })
            .catch(() => false),
        );
        await vscode.screenshot(`guidance-1-${name}`);
      }
      const isDone = (title: string) =>
        walkthrough()
          .getByRole('checkbox', { name: `${title}: Completed` })
          .isVisible();
      assert.equal(await isDone('Start a Session'), false);
      await step('Start a Session').getByRole('button', { name: 'New Session…' }).click();
      await vscode.answer('echo up first; exec sleep 1000', 'New Session');
      await vscode.terminalHas(/up first/);
      await until('the step is done', () => isDone('Start a Session'));
      assert.equal(await isDone('Stop It with All That It Started'), false);
      await vscode.screenshot('guidance-2-done');
      await vscode.palette('View: Close All Editors');
    });
  });

  describe('who asks for the diagnostics', () => {
    it('finds in them the versions, and where the sessions run', async () => {
      await vscode.palette('Exec Sessions: Show Diagnostics');
      const editor = vscode.page.locator('.part.editor .editor-instance .monaco-editor').first();
      await editor.getByText('# Exec Sessions: Diagnostics').waitFor();
      await vscode.screenshot('guidance-3-diagnostics');
      await editor.locator('.view-lines').click();
      let text = '';
      await until(
        () => `all of it is in the clipboard: ${text}`,
        async () => {
          await vscode.page.keyboard.press('Control+a');
          await vscode.page.keyboard.press('Control+c');
          text = await vscode.page.evaluate<string>('navigator.clipboard.readText()');
          return text.includes('## Last warnings and errors');
        },
      );
      for (const fact of [
        /^- Exec Sessions: \d+\.\d+\.\d+$/m,
        /^- VS Code: \d+\.\d+\.\d+ /m,
        /^- Node: v\d+\.\d+\.\d+$/m,
        /^- Sessions: 1 running, 0 ended$/m,
        /^- Sessions run in: the session server$/m,
      ]) {
        assert.match(text, fact);
      }
      await vscode.palette('View: Close All Editors');
    });
  });

  /** Waits until the extension also knows the terminals: it hears of them before it hears of a command. */
  const extensionKnows = async () => {
    await vscode.page.evaluate(`navigator.clipboard.writeText('nothing yet')`);
    await vscode.palette('Exec Sessions: Copy Diagnostics');
    await until('the command has run', async () => {
      const copied = await vscode.page.evaluate<string>('navigator.clipboard.readText()');
      return copied.startsWith('# Exec Sessions: Diagnostics');
    });
  };

  describe('of a failure that nobody sees', () => {
    const FAILED = /up (shown|again).* exited with code 3/;

    it('is told once, and is led to its terminal', async () => {
      await vscode.activity('Exec Sessions');
      await startSession(untilTold('shown', 3), /up shown/);
      await startSession('echo in front; exec sleep 1000', /in front/);
      await extensionKnows();
      tell('shown');
      await vscode.toast(FAILED).waitFor();
      assert.equal(await toasts().count(), 1);
      const buttons = toasts().locator('.notification-list-item-buttons-container').getByRole('button');
      assert.deepEqual(await buttons.allInnerTexts(), ['Show', 'Restart']);
      await vscode.screenshot('guidance-4-failure');
      await vscode.answerToast(FAILED, 'Show');
      await vscode.terminalHas(/up shown\s+gone[\s\S]*exited with code 3/);
      await toasts().first().waitFor({ state: 'hidden' });
    });

    it('runs it again from there', async () => {
      await startSession(untilTold('again', 3), /up again/);
      await vscode.terminalTab('in front').click();
      await vscode.terminalHas(/in front/);
      await extensionKnows();
      tell('again');
      await vscode.answerToast(FAILED, 'Restart');
      await vscode.rowsAre(view(), 'it running again, and the old one closed', (rows) => {
        const closed = rows.findIndex((text) => text.startsWith('Closed'));
        const own = rows.flatMap((text, place) => (text.startsWith('echo up again') ? [place] : []));
        return closed > 0 && own.length === 2 && (own[0] ?? 0) < closed && (own[1] ?? 0) > closed;
      });
      await row(/^echo up again/).click();
      await vscode.terminalHas(/up again\s+gone[\s\S]*running again[\s\S]*up again/);
    });
  });

  describe('who throws the terminal of a session away with its trash can', () => {
    const throwAway = async (title: string) => {
      const tab = vscode.terminalTab(title);
      await until(`the tab of ${title} is gone`, async () => {
        await tab.hover({ timeout: 2_000 }).catch(() => undefined);
        await tab
          .locator('.action-label[aria-label^="Kill"]')
          .click({ timeout: 2_000 })
          .catch(() => undefined);
        return !(await tab.isVisible());
      });
    };
    const goesOn = (name: string) => new RegExp(`"echo up ${name}.*" keeps running`);

    it('is told that it goes on in the list, and stops it there', async () => {
      await startSession('echo up thrown; exec sleep 1001', /up thrown/);
      await throwAway('sleep 1001');
      await vscode.toast(goesOn('thrown')).waitFor();
      await row(/sleep 1001.*\d m$/).waitFor();
      await vscode.screenshot('guidance-5-goes-on');
      await vscode.answerToast(goesOn('thrown'), 'Stop It');
      await vscode.rowsHave(view(), [/sleep 1001.*stopped · SIGINT/]);
    });

    it('is not told any more after saying so', async () => {
      await startSession('echo up known; exec sleep 1002', /up known/);
      await throwAway('sleep 1002');
      await vscode.answerToast(goesOn('known'), "Don't Show Again");
      await toasts().first().waitFor({ state: 'hidden' });
      await startSession(untilTold('silent', 4), /up silent/);
      await throwAway('up silent');
      await extensionKnows();
      // The messages come in order: one about going on would be there when the session ends.
      tell('silent');
      await vscode.toast(/up silent.* exited with code 4/).waitFor();
      assert.equal(await toasts().count(), 1);
      await vscode.closeToasts();
    });
  });
});
