import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import type { Machine } from '../../src/machine/index.js';
import { loadMachine } from '../../src/vscode/machine/sessionServer.js';
import { tellOfServerRisks } from '../../src/vscode/machine/serverNotices.js';
import { until } from '../support/until.js';
import { endSessionServersIn } from '../support/sessionServers.js';
import { chosenBackend, extension, FakeMemento, Fixture, setSetting } from './fixture.js';

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
      /^- Codex: tools (?:open|closed|left alone), commands (?:open|closed|left alone)$/m,
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
    await until(() => vscode.window.activeTextEditor?.document.uri.scheme, 'exec-sessions-diagnostics');
    const document = vscode.window.activeTextEditor?.document;
    assert.match(document?.getText() ?? '', /^# Exec Sessions: Diagnostics\n\n## Versions\n/);
  });
});

describe('the diagnostics of a session server', () => {
  let folder = '';
  let fixture: Fixture;

  beforeEach(async () => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-')));
    fs.mkdirSync(path.join(folder, 'run'), { mode: 0o700 });
    await setSetting('local.backend', 'server');
    fixture = new Fixture();
  });

  afterEach(async () => {
    await fixture.dispose();
    await endSessionServersIn(folder);
    await setSetting('local.backend', chosenBackend);
    fs.rmSync(folder, { recursive: true });
  });

  /** Starts one that is apart from that of the rig. @returns the diagnostics. */
  const startedWith = async (variables: Readonly<Record<string, string>>, some: Partial<Machine> = {}) => {
    const places = { XDG_RUNTIME_DIR: path.join(folder, 'run') };
    fixture.loadMachine = async () => {
      const machine = await loadMachine();
      return {
        ...machine,
        connectMachine: async (options) => {
          const env = { ...options.env, ...places, ...variables };
          const connected = await machine.connectMachine({ ...options, env });
          return connected && { ...connected, ...some };
        },
      };
    };
    await fixture.start('exec sleep 600');
    await fixture.commands['execSessions.copyDiagnostics']();
    return vscode.env.clipboard.readText();
  };

  it('say how it runs', async () => {
    const text = await startedWith({ XDG_CACHE_HOME: path.join(folder, 'cache') });
    for (const fact of [
      /^## Session server$/m,
      /^- Place: \S+\/run\/exec-sessions\/sessions-\S+\.sock$/m,
      /^- Process: \d+$/m,
      /^- Node: .+ v\d+\.\d+\.\d+$/m,
      /^- Files: \S+\/cache\/exec-sessions\/server-\S+ \(a copy that no update touches\)$/m,
      /^- Service: /m,
    ]) {
      assert.match(text, fact);
    }
    assert.doesNotMatch(text, /Risk: An update/);
  });

  it('say what it risks, as the log does, where it is no copy and at no usual place', async () => {
    const text = await startedWith({ XDG_CACHE_HOME: '/dev/null' }, { isAtBestPlace: false });
    assert.match(text, /^- Place: \S+\/run\/exec-sessions\/\S+ \(not the usual place/m);
    assert.match(text, /^- Files: \S+ \(not a copy\)$/m);
    assert.match(text, /^- Risk: An update of the extension may disturb/m);
    assert.match(text, /^- \S+ warning: An update of the extension may disturb/m);
    assert.deepEqual(fixture.user.said, [], 'it may turn out well');
  });

  it('are offered once, unasked, where the next update is sure to end its sessions', () => {
    const memento = new FakeMemento();
    const warned: string[] = [];
    const server = { pid: 1, node: 'Code.exe', nodeVersion: 'v24', electron: true, files: '', copied: true };
    const tell = (platform: string) =>
      tellOfServerRisks(
        { platform, server },
        {
          messages: fixture.services.messages,
          memento,
          log: { warn: (line: string) => warned.push(line) },
        },
      );
    tell('linux');
    assert.deepEqual([fixture.user.said.length, warned.length], [0, 1]);
    tell('win32');
    tell('win32');
    assert.deepEqual([fixture.user.said.length, warned.length], [1, 2]);
    const [said] = fixture.user.said;
    assert.match(said?.message ?? '', /^The next update of VS Code ends the sessions of this machine/);
    assert.deepEqual(said?.actions, ['Show Diagnostics', 'Show Log']);
  });
});
