import * as vscode from 'vscode';

import type { RunMode } from '../../../sessions/list/index.js';

/** A button that switches the way to run a command. */
export interface ModeButton extends vscode.QuickInputButton {
  readonly tooltip: string;
  readonly mode: RunMode;
}

/** The buttons that switch from one way to run a command to the others that its machine has. */
export function modeButtons(mode: RunMode, modes: readonly RunMode[]): readonly ModeButton[] {
  const other: RunMode = mode === 'pipes' ? 'pipesWithInput' : 'pipes';
  const targets: readonly RunMode[] = mode === 'terminal' ? ['pipes'] : ['terminal', other];
  return targets.filter((target) => modes.includes(target)).map((target) => modeButton(mode, target));
}

function modeButton(from: RunMode, mode: RunMode): ModeButton {
  const [icon, tooltip] = lookOf(from, mode);
  return { iconPath: new vscode.ThemeIcon(icon), tooltip, mode };
}

function lookOf(from: RunMode, to: RunMode): readonly [icon: string, tooltip: string] {
  if (to === 'terminal') {
    return ['terminal', vscode.l10n.t('Run in a Terminal')];
  }
  if (from === 'terminal') {
    return ['output', vscode.l10n.t('Run with Pipes')];
  }
  return to === 'pipesWithInput'
    ? ['arrow-swap', vscode.l10n.t('Open Standard Input')]
    : ['output', vscode.l10n.t('Leave Standard Input Empty')];
}

/** A way to run a command, in words. */
export function modeText(mode: RunMode): string {
  switch (mode) {
    case 'terminal':
      return vscode.l10n.t('in a terminal');
    case 'pipes':
      return vscode.l10n.t('with pipes, without input');
    case 'pipesWithInput':
      return vscode.l10n.t('with pipes, standard input open');
  }
}
