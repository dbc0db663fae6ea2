import * as vscode from 'vscode';

/** The facts that VS Code gives about its terminals. */
export type TerminalsOfWindow = Pick<typeof vscode.window, 'activeTerminal' | 'terminals' | 'tabGroups'>;

/**
 * Whether a person can see one of these terminals. This is true of the last active terminal, and of a front terminal of
 * a column of the editor area. VS Code names that one only by its title; if several terminals have the title, they do
 * not count. VS Code does not report the other half of a split terminal, nor whether the panel is closed.
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
