import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { AxeResults } from 'axe-core';
import type { Locator } from 'playwright-core';

import { root } from '../rig/paths.js';
import { pictureOfFailure, startDrive, type Drive } from './harness.js';
import { until } from './waits.js';
import type { Workbench } from './workbench.js';

/** The themes of VS Code by their names, and the class that each gives the window. */
const THEMES = [
  { label: 'Light Modern', kind: 'vs' },
  { label: 'Dark High Contrast', kind: 'hc-black' },
  { label: 'Light High Contrast', kind: 'hc-light' },
  { label: 'Dark Modern', kind: 'vs-dark' },
] as const;

// The part of a window's own code that is used here: the compiler knows no windows.

interface WithAxe {
  readonly axe: { run(part: object): Promise<AxeResults> };
}

interface Drawn {
  readonly parentElement: Drawn | null;
}

interface WithStyles {
  getComputedStyle: (element: Drawn) => {
    readonly color: string;
    readonly backgroundColor: string;
    readonly opacity: string;
  };
}

/**
 * A rule that no row with a description can keep. VS Code draws the description after the label without a space. The
 * rule wants the two as one word in the spoken text.
 */
const NOT_OURS = 'label-content-name-mismatch';

/** The contrast that text needs, from https://www.w3.org/TR/WCAG22/#contrast-minimum. */
const READABLE = 4.5;

/** The list and the terminals for people who see little, or hear the window instead. */
describe('A person who sees little', () => {
  let drive: Drive;
  let vscode: Workbench;

  before(async () => {
    drive = await startDrive();
    vscode = drive.workbench;
    await vscode.activity('Exec Sessions');
    for (const [command, shown] of [
      ['echo up; exec sleep 1000', /up/],
      ['echo over; exit 3', /over[\s\S]*press R/],
    ] as const) {
      await vscode.palette('Exec Sessions: New Session…');
      await vscode.answer(command, 'New Session');
      await vscode.terminalHas(shown);
    }
    await vscode.rowsHave(view(), [/sleep 1000/, /echo over/]);
  });

  after(() => drive.close());

  afterEach(async function () {
    await pictureOfFailure(drive, this.currentTest);
  });

  const view = () => vscode.view('Sessions');
  /** The violations that axe finds in a part of the window. */
  const violations = async (part: Locator): Promise<AxeResults['violations']> =>
    (await part.evaluate((element: object) => (globalThis as unknown as WithAxe).axe.run(element)))
      .violations;

  it('hears the states as words', async () => {
    for (const [text, words] of [
      [/sleep 1000/, /running/],
      [/echo over/, /exit code 3|exited with code 3/],
    ] as const) {
      const row = vscode.treeRow(text, view());
      const heard = (await row.getAttribute('aria-label')) ?? '';
      assert.match(heard, words);
      assert.ok(heard.startsWith(await row.locator('.label-name').innerText()), heard);
    }
  });

  it('has a view in which axe finds nothing that it does not find in one of VS Code', async () => {
    const axe = createRequire(path.join(root, 'package.json')).resolve('axe-core/axe.min.js');
    await vscode.page.evaluate(fs.readFileSync(axe, 'utf8'));
    const ours = await violations(view());
    await vscode.activity('Explorer');
    const theirs = new Set(
      (await violations(vscode.page.locator('.explorer-folders-view'))).map(({ id }) => id),
    );
    await vscode.activity('Exec Sessions');
    const own = ours.filter(({ id }) => id !== NOT_OURS && !theirs.has(id));
    assert.deepEqual(
      own.map(({ id, help, nodes }) => [id, help, nodes.map(({ html }) => html)]),
      [],
    );
  });

  it('reads what a terminal says of the end, in light, dark and high contrast', async () => {
    const notice = vscode.page.locator('.terminal-wrapper.active .xterm-rows span', { hasText: 'press' });
    for (const { label, kind } of THEMES) {
      await vscode.palette('Preferences: Color Theme');
      await vscode.fillInput(label);
      await vscode.pick(label);
      await vscode.page.locator(`.monaco-workbench.${kind}`).waitFor();
      let contrast = 0;
      await until(
        () => `its contrast is ${READABLE} in ${label}: it is ${contrast}`,
        async () => (contrast = await contrastOf(notice.first())) >= READABLE,
      );
    }
  });

  it('sees how each session is in a narrow side bar', async () => {
    await vscode.sideBarIs(200);
    for (const [text, icon] of [
      [/sleep 1000/, 'codicon-play-circle'],
      [/echo over/, 'codicon-error'],
    ] as const) {
      const shown = vscode.treeRow(text, view()).locator('.custom-view-tree-node-item-icon');
      assert.match((await shown.getAttribute('class')) ?? '', new RegExp(icon));
      const [box, bar] = await Promise.all([shown.boundingBox(), view().boundingBox()]);
      assert.ok(box && bar && box.x >= bar.x && box.x + box.width <= bar.x + bar.width);
    }
  });
});

/** The contrast of a text with its background, from 1 to 21. */
async function contrastOf(text: Locator): Promise<number> {
  const { front, opacity, back } = await text.evaluate((element: Drawn) => {
    const { getComputedStyle } = globalThis as unknown as WithStyles;
    let behind = element;
    while (behind.parentElement && /^transparent$|, 0\)$/.test(getComputedStyle(behind).backgroundColor)) {
      behind = behind.parentElement;
    }
    const { color, opacity } = getComputedStyle(element);
    return { front: color, opacity: Number(opacity), back: getComputedStyle(behind).backgroundColor };
  });
  const behind = channels(back);
  // Faint text is see-through, as a whole or by its colour.
  const { alpha, ...shown } = channels(front);
  const share = alpha * opacity;
  const blend = (over: number, under: number) => over * share + under * (1 - share);
  const seen = {
    red: blend(shown.red, behind.red),
    green: blend(shown.green, behind.green),
    blue: blend(shown.blue, behind.blue),
  };
  const [light = 0, dark = 0] = [luminance(seen), luminance(behind)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The parts of a colour such as `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`: from 0 to 255, and the opacity to 1. */
function channels(color: string) {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return { red, green, blue, alpha };
}

/** The relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(color: { readonly red: number; readonly green: number; readonly blue: number }): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}
