import * as vscode from 'vscode';

import type { Services } from './services.js';
import { shellStart } from './shellStart.js';

/**
 * Starts a shell for VS Code's menu of new terminals. Returns undefined if it cannot be started, and tells the user.
 */
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
