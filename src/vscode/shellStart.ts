import * as vscode from 'vscode';

import { type ExecBackend, interactiveShell, shellName, shellThere } from '../core/index.js';
import type { CheckedStart } from '../sessions/options/index.js';
import type { Services } from './services.js';
import { shellForPeople } from './terminals/shellIntegration.js';
import { userShell } from './thisMachine.js';

const inTerminal = { tty: true, pipeStdin: false, show: true } as const;

/** The start of a shell on this machine for a person to type into. */
export function shellStart({ settings, storage }: Pick<Services, 'settings' | 'storage'>): CheckedStart {
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

/** Starts a shell for VS Code's menu of new terminals; undefined if it cannot be started, which people are told. */
export async function shellProfile(services: Services): Promise<vscode.TerminalProfile | undefined> {
  const { starter, terminals, messages } = services;
  try {
    const session = await starter.start(shellStart(services), { kind: 'user' });
    return new vscode.TerminalProfile(terminals.describe(session));
  } catch (error) {
    messages.failed(error);
    return undefined;
  }
}
