import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { until } from '../support/processes.js';
import { extension, Fixture } from './fixture.js';

describe('the diagnostics', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await fixture.dispose();
  });

  const copied = async () => {
    await fixture.commands['execSessions.copyDiagnostics']();
    return vscode.env.clipboard.readText();
  };

  it('can be copied: versions, terminals, this machine and what it can do', async () => {
    await fixture.start('exec sleep 600');
    const text = await copied();
    const { version } = extension().packageJSON as { readonly version: string };
    assert.notEqual(version, '');
    for (const fact of [
      /^- Exec Sessions: 1\.2\.3$/m,
      new RegExp(`^- VS Code: ${vscode.version.replaceAll('.', '\\.')} `, 'm'),
      new RegExp(`^- Node: ${process.version.replaceAll('.', '\\.')}$`, 'm'),
      /^- node-pty: \d+\.\d+\.\d+/m,
      /^- Binary: .*prebuilds.*\.node$/m,
      /^- Usable: yes$/m,
      /^- Sessions: 1 running, 0 ended$/m,
      /^## This machine$/m,
      /^- Sessions run in: (the extension host of this window|the session server)$/m,
      /^- State: connected$/m,
      /^- Can: .*terminals, .*listeners/m,
      /^- Signals: .*SIGINT/m,
    ]) {
      assert.match(text, fact);
    }
  });

  it('name the last problems, and no secret of a setting', async () => {
    const configuration = vscode.workspace.getConfiguration('execSessions');
    await configuration.update('env', { PASSWORD: 'hunter2' }, vscode.ConfigurationTarget.Global);
    try {
      fixture.services.messages.warn('Something went wrong with --password hunter2.');
      const text = await copied();
      assert.match(text, /^- Settings that are not the default: .*execSessions\.env\b/m);
      assert.match(text, /^- \S+ warning: Something went wrong with --password \*\*\*/m);
      assert.doesNotMatch(text, /hunter2/);
    } finally {
      await configuration.update('env', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('open as a document', async () => {
    await vscode.commands.executeCommand('execSessions.showDiagnostics');
    await until(() => vscode.window.activeTextEditor?.document.uri.scheme === 'exec-sessions-diagnostics');
    const document = vscode.window.activeTextEditor?.document;
    assert.match(document?.getText() ?? '', /^# Exec Sessions: Diagnostics\n\n## Versions\n/);
  });
});
