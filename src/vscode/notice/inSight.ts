import * as vscode from 'vscode';

/** What VS Code says of its terminals. */
export type TerminalsOfWindow = Pick<typeof vscode.window, 'activeTerminal' | 'terminals' | 'tabGroups'>;

/**
 * Whether a person can see one of these terminals. That is so of the one that was active last, and of one in front of a
 * column of the editor area, which VS Code names by its title alone; of several terminals with that title none counts. VS
 * Code does not tell of the other half of a split terminal, nor whether the panel is closed.
 */
export function isInSight(
  terminals: readonly vscode.Terminal[],
  { activeTerminal, terminals: all, tabGroups }: TerminalsOfWindow,
): boolean {
  const titles = tabGroups.all
    .map(({ activeTab }) => activeTab)
    .filter((tab) => tab?.input instanceof vscode.TabInputTerminal)
    .map((tab) => tab?.label);
  return terminals.some(
    (terminal) =>
      terminal === activeTerminal ||
      (titles.includes(terminal.name) && all.filter(({ name }) => name === terminal.name).length === 1),
  );
}
