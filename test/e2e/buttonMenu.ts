import type { Locator } from 'playwright-core';

import { appears, until } from './waits.js';
import type { Workbench } from './workbench.js';

/**
 * Chooses from the menu of a button, or of the right button on something. VS Code closes such a menu now and then, and
 * the menu shows the state at its opening.
 */
export async function chooseFromButton(
  vscode: Workbench,
  button: Locator,
  entry: string,
  click: { readonly button?: 'right' } = {},
): Promise<void> {
  const item = vscode.page.getByRole('menuitem', { name: entry }).first();
  await until(`the menu has "${entry}"`, async () => {
    await button.click(click);
    const isThere = await appears(item, 2_000);
    if (!isThere) {
      await vscode.page.keyboard.press('Escape');
    }
    return isThere;
  });
  await vscode.chooseFromMenu(entry);
}
