import * as vscode from 'vscode';

import { type ExecBackend, interactiveShell, shellName, shellThere } from '../core/index.js';
import type { CheckedStart } from '../sessions/options/index.js';
import type { SettingsReader } from './settingsReader.js';
import { shellForPeople } from './terminals/shellIntegration.js';
import { userShell } from './thisMachine.js';
import type { Messages } from './messages.js';
import type { SessionStarter } from './sessionStarter.js';
import type { SessionTerminals } from './terminals/sessionTerminals.js';

export const inTerminal = { tty: true, pipeStdin: false, show: true } as const;

interface ShellSettings {
  readonly settings: SettingsReader;
  readonly storage: string;
}

/** The start of a shell on this machine for a person to type into. */
export function shellStart({ settings, storage }: ShellSettings): CheckedStart {
  const { argv, env, name } = shellForPeople(userShell(settings).shell, {
    storage,
    env: settings.get('env'),
  });
  return { ...inTerminal, command: { kind: 'argv', argv }, shownAs: name, env };
}

/** The start of a shell in another environment: that of the user there. */
export function shellStartThere({
  id,
  backend,
}: {
  readonly id: string;
  readonly backend: Pick<ExecBackend, 'host'>;
}): CheckedStart {
  const { host } = backend;
  const { shell } = shellThere(host);
  const argv = interactiveShell(shell, host.platform);
  return {
    ...inTerminal,
    command: { kind: 'argv', argv },
    shownAs: shellName(shell),
    environment: id,
    env: {},
  };
}

/**
 * Starts a shell for VS Code's menu of new terminals. Returns undefined if it cannot be started, and tells the user.
 */
export async function shellProfile(
  services: ShellSettings & {
    readonly starter: SessionStarter;
    readonly terminals: SessionTerminals;
    readonly messages: Messages;
  },
): Promise<vscode.TerminalProfile | undefined> {
  const { starter, terminals, messages } = services;
  try {
    const session = await starter.start(shellStart(services), { kind: 'user' });
    return new vscode.TerminalProfile(terminals.describe(session));
  } catch (error) {
    messages.failed(error);
    return undefined;
  }
}
