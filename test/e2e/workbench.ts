import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

import { appears, holds, until } from './waits.js';

/** How long rows have to be where they are before a click on them counts, in milliseconds. */
const STILL_MS = 600;

/** A person's actions in VS Code's window, and the things they see there. Every wait is for a condition. */
export class Workbench {
  readonly page: Page;
  readonly #screenshots: string;

  constructor(page: Page, screenshots: string) {
    this.page = page;
    this.#screenshots = screenshots;
  }

  /** Opens the address and waits until the workbench is drawn. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.waitUntilDrawn();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.waitUntilDrawn();
  }

  /** Reloads the window as a person does, so that VS Code keeps everything that has changed until then. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.palette('Developer: Reload Window');
    await loaded;
    await this.waitUntilDrawn();
  }

  private async waitUntilDrawn(): Promise<void> {
    // Themes come from extensions: the class appears once those are known.
    await this.page.locator('.monaco-workbench[class*="vscode-theme-"] .part.statusbar').waitFor();
    await this.page.locator('.monaco-workbench .part.activitybar .action-item').first().waitFor();
  }

  // ---- Command palette and quick input

  private get quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  /** Runs the command with exactly this title, as the palette shows it. */
  async palette(title: string): Promise<void> {
    const row = this.quickRow(title);
    // The palette does not update while it is open, so it is opened again until the extension's commands are known.
    await until(`the palette offers "${title}"`, async () => {
      await this.page.keyboard.press('F1');
      const input = this.quickInput.locator('input').first();
      // Another quick input may still be closing, or take the focus away while the palette opens.
      const filled = await holds(input.fill(`>${title}`, { timeout: 2000 }));
      // Another element may take the focus late, which hides the palette before its row is clicked.
      if (filled && (await appears(row, 2000)) && (await holds(row.click({ timeout: 10_000 })))) return true;
      await this.page.keyboard.press('Escape');
      return false;
    });
  }

  /** A row of the quick pick whose label is exactly this, or matches. */
  quickRow(label: string | RegExp): Locator {
    const name = this.page.locator('.label-name', {
      hasText: typeof label === 'string' ? new RegExp(`^${escape(label)}$`) : label,
    });
    return this.quickInput.locator('.quick-input-list .monaco-list-row', { has: name }).first();
  }

  async quickRows(): Promise<string[]> {
    const rows = await this.quickInput.locator('.quick-input-list .monaco-list-row').allInnerTexts();
    return rows.map((row) => clean(row).replaceAll('\n', ' '));
  }

  async pick(label: string | RegExp): Promise<void> {
    await this.quickRow(label).click();
  }

  /** Answers an input box: waits for it, optionally by its title or prompt, fills it and presses Enter. */
  async answer(text: string, titleOrPrompt?: string | RegExp): Promise<void> {
    // A list that is drawn anew may have the keyboard by now.
    await (await this.fillInput(text, titleOrPrompt)).press('Enter');
  }

  async fillInput(text: string, titleOrPrompt?: string | RegExp): Promise<Locator> {
    const widget =
      titleOrPrompt === undefined ? this.quickInput : this.quickInput.filter({ hasText: titleOrPrompt });
    const input = widget.locator('input[type=text], input[type=password], input.input').first();
    await input.waitFor();
    await input.fill(text);
    return input;
  }

  /** The line under an input box: its prompt, or the error in the text. */
  async inputMessage(): Promise<string> {
    return clean(await this.quickInput.locator('.quick-input-message').innerText());
  }

  /** Presses a button in the title of the quick input. */
  async quickButton(name: string): Promise<void> {
    await this.quickInput.locator(`.quick-input-titlebar .action-label[aria-label="${name}"]`).click();
  }

  async closeQuickInput(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.quickInput.waitFor({ state: 'hidden' });
  }

  // ---- Views

  /** Shows a view container by its entry in the activity bar. */
  async activity(title: string): Promise<void> {
    const item = this.page.locator('.part.activitybar .action-item', {
      has: this.page.locator(`.action-label[aria-label^="${title}"]`),
    });
    const shown = this.page.locator('.part.activitybar .action-item.checked').and(item);
    // A window that is being loaded may show it by itself at any moment: the click hides it then.
    await until(`the side bar shows "${title}"`, async () => {
      if (!(await shown.isVisible())) await item.click();
      return appears(shown, 5000);
    });
  }

  /** A view by its name, wherever it lies. */
  view(name: string): Locator {
    return this.page.locator('.pane', { has: this.page.locator('.pane-header', { hasText: name }) });
  }

  /** A row of a tree; `within` narrows the search to one view. */
  treeRow(text: string | RegExp, within?: Locator): Locator {
    return (within ?? this.page.locator('.pane'))
      .locator('.monaco-list-row[role=treeitem]')
      .filter({ hasText: text })
      .first();
  }

  async treeRows(within: Locator): Promise<string[]> {
    const rows = await within.locator('.monaco-list-row[role=treeitem]').allInnerTexts();
    return rows.map((row) => clean(row).replaceAll('\n', ' '));
  }

  /** Waits until the rows of a view are as they shall be, and returns them. */
  async rowsAre(
    view: Locator,
    what: string,
    wanted: (rows: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    let rows: string[] = [];
    await until(
      () => `the tree shows ${what}; it has: ${rows.join(' | ')}`,
      async () => {
        rows = await this.treeRows(view);
        return wanted(rows);
      },
    );
    return rows;
  }

  /** Waits until a view has a row for each of these, and returns all of its rows. */
  rowsHave(view: Locator, wanted: readonly RegExp[]): Promise<readonly string[]> {
    const found = (rows: readonly string[]) => wanted.every((one) => rows.some((text) => one.test(text)));
    return this.rowsAre(view, wanted.join(' and '), found);
  }

  /** Drags the border of the side bar until it is so wide, in pixels. */
  async sideBarIs(width: number): Promise<void> {
    await until(`the side bar is ${width} wide`, async () => {
      const box = await this.page.locator('.part.sidebar').boundingBox();
      if (box === null || Math.abs(box.width - width) < 4) {
        return box !== null;
      }
      await this.page.mouse.move(box.x + box.width, 400);
      await this.page.mouse.down();
      await this.page.mouse.move(box.x + width, 400, { steps: 5 });
      await this.page.mouse.up();
      return false;
    });
  }

  /** Waits until the list of a row has stayed as it is for so long that the view takes a click on it. */
  async #isAtRest(row: Locator): Promise<void> {
    const list = row.locator('xpath=ancestor::*[@role="tree" or @role="listbox"]');
    let seen = '';
    let since = 0;
    await until(
      () => `the list has come to rest; it has:\n${seen}`,
      async () => {
        const now = JSON.stringify([await row.boundingBox(), await list.innerText()]);
        if (now !== seen) {
          seen = now;
          since = performance.now();
        }
        return performance.now() - since >= STILL_MS;
      },
    );
  }

  /** Presses a button that appears on a row under the mouse. */
  async rowAction(row: Locator, action: string): Promise<void> {
    await this.#isAtRest(row);
    await row.hover();
    await row.locator(`.action-label[aria-label^="${action}"]`).click();
  }

  /** Presses Stop on a row of a session. */
  async stopFromRow(row: Locator): Promise<void> {
    await this.rowAction(row, 'Stop');
    await row.filter({ hasText: /stopping…|stopped · / }).waitFor();
  }

  /** Chooses from a row's context menu. */
  async rowMenu(row: Locator, entry: string): Promise<void> {
    // A list that is drawn anew closes the menu.
    await this.#isAtRest(row);
    await row.click({ button: 'right' });
    await this.chooseFromMenu(entry);
  }

  /** Chooses from the menu that is open. */
  async chooseFromMenu(entry: string): Promise<void> {
    const item = this.page.getByRole('menuitem', { name: entry }).first();
    await item.hover();
    // A menu ignores clicks in its first moments, but no keys.
    await this.page.keyboard.press('Enter');
    await item.waitFor({ state: 'hidden' });
  }

  /** The text of the tooltip of `target`. */
  async hover(target: Locator): Promise<string> {
    const hover = this.page.locator('.monaco-hover:visible').first();
    let text: string | undefined;
    // If the row is drawn again at that moment its tooltip disappears; it returns when the mouse does.
    await until('a tooltip is there', async () => {
      await this.page.mouse.move(0, 0);
      await hover.waitFor({ state: 'hidden' });
      await target.hover();
      const shown = await appears(hover.filter({ hasNotText: /^Loading/ }), 2000);
      text = shown ? await hover.innerText({ timeout: 500 }).catch(() => undefined) : undefined;
      return text !== undefined;
    });
    return clean(text ?? '');
  }

  // ---- Terminals

  private get terminal(): Locator {
    return this.page.locator('.terminal-wrapper.active');
  }

  /** The visible lines of the active terminal. */
  async terminalText(): Promise<string> {
    return clean((await this.terminalLines()).join('\n'));
  }

  /** The emulator of the active terminal, without the one that shows a command over its first line (sticky scroll). */
  private get emulator(): Locator {
    return this.terminal.locator('.xterm:not(.terminal-sticky-scroll .xterm)');
  }

  /** All the lines of the screen of the active terminal, the empty ones also. */
  async terminalLines(): Promise<readonly string[]> {
    const lines = await this.emulator.locator('.xterm-rows > div').allInnerTexts();
    return lines.map((line) => line.replaceAll('\u00a0', ' ').trimEnd());
  }

  /** Waits until the active terminal shows a match, and returns its text. */
  async terminalHas(wanted: RegExp): Promise<string> {
    let text = '';
    await until(
      () => `the terminal shows ${String(wanted)}; it has:\n${text}\n`,
      async () => {
        text = (await this.terminal.count()) > 0 ? await this.terminalText() : '';
        return wanted.test(text);
      },
    );
    return text;
  }

  async focusTerminal(): Promise<void> {
    await this.emulator.click();
    await this.emulator.locator('.xterm-helper-textarea').focus();
    await this.terminal.locator('.xterm.focus').waitFor();
  }

  /** Follows the link at the beginning of a line in the terminal, until that has an effect. */
  async followLink(text: string, hasOpened: () => Promise<boolean>): Promise<void> {
    await until(`"${text}" leads somewhere`, async () => {
      const line = this.terminal.locator('.xterm-rows > div', { hasText: text }).last();
      const box = await line.boundingBox();
      if (box === null) return false;
      const [x, y] = [box.x + 20, box.y + box.height / 2];
      // Along the line: a link in another one would get a tooltip on the way, which may cover this one.
      await this.page.mouse.move(box.x + 500, y);
      await this.page.mouse.move(x, y, { steps: 5 });
      if (!(await this.#isLinkHovered())) return false;
      await this.page.keyboard.down('Control');
      await this.page.mouse.click(x, y);
      await this.page.keyboard.up('Control');
      return holds(until('it has opened', hasOpened, 3000));
    });
  }

  /** Waits a moment until VS Code knows the link under the mouse, in a terminal. */
  #isLinkHovered(): Promise<boolean> {
    return appears(
      this.page
        .locator('.monaco-hover')
        .getByText(/ctrl \+ click/)
        .first(),
      3_000,
    );
  }

  /** Types into the active terminal, and presses Enter by default. */
  async typeInTerminal(text: string, { enter = true } = {}): Promise<void> {
    await this.focusTerminal();
    await this.page.keyboard.type(text);
    if (enter) await this.page.keyboard.press('Enter');
  }

  /** Presses keys in the active terminal, for example `Control+C`. */
  async pressInTerminal(...keys: readonly string[]): Promise<void> {
    await this.focusTerminal();
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /**
   * Presses a key of an ended session in the active terminal, until it has an effect. The key acts from a second after
   * the shown end on, and half a second after another key.
   */
  async pressAfterEnd(key: string, hasActed: () => Promise<boolean>): Promise<void> {
    await this.focusTerminal();
    await until(`${key} acts`, async () => {
      await this.page.keyboard.press(key);
      return holds(until('it has acted', hasActed, 1000));
    });
  }

  /** The titles in the list of terminal tabs; a single terminal has its title in the panel's bar instead. */
  async terminalTabs(): Promise<string[]> {
    const tabs = await this.page.locator('.tabs-list .monaco-list-row').allInnerTexts();
    return tabs.map((tab) => clean(tab));
  }

  /** The title of the active terminal in that list. */
  async activeTab(): Promise<string> {
    const active = this.page.locator('.tabs-list .monaco-list-row.selected');
    return clean((await active.allInnerTexts()).join('|'));
  }

  terminalTab(title: string): Locator {
    return this.page.locator('.tabs-list .monaco-list-row').filter({ hasText: title }).first();
  }

  // ---- Messages and the status bar

  toast(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text }).first();
  }

  /** Waits for a notification and presses one of its buttons. */
  async answerToast(text: string | RegExp, button: string): Promise<void> {
    await this.toast(text).getByRole('button', { name: button, exact: true }).click();
  }

  async closeToasts(): Promise<void> {
    await this.palette('Notifications: Clear All Notifications');
    await this.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
  }

  /** The modal dialog. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Waits for a dialog that says this and presses one of its buttons. */
  async answerDialog(text: string | RegExp, button: string): Promise<void> {
    const dialog = this.dialog.filter({ hasText: text });
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  statusItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item-label').filter({ hasText: text }).first();
  }

  // ---- Pictures

  /** Takes a picture for a person to look at, and returns its file. */
  async screenshot(name: string): Promise<string> {
    fs.mkdirSync(this.#screenshots, { recursive: true });
    const file = path.join(this.#screenshots, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }
}

/** VS Code draws spaces as no-break spaces. */
function clean(text: string): string {
  return text
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
