import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { EnvironmentLinks } from '../../../src/vscode/terminals/environmentLinks.js';
import { until } from '../../support/until.js';
import { BUILD, useBuildMachine } from './setup.js';

describe('links to files of environments', () => {
  const machine = useBuildMachine();
  let folder: string;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-links-')));
    fs.mkdirSync(path.join(folder, 'src'));
    fs.writeFileSync(path.join(folder, 'src', 'a.ts'), 'one\ntwo\nthree\n');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(folder, { recursive: true });
  });

  const follow = async (line: string): Promise<void> => {
    const session = await machine.startThere();
    const { environments, messages } = machine.fixture.services;
    const links = new EnvironmentLinks({ environments, messages, sessionOf: () => session });
    const [terminal] = vscode.window.terminals;
    assert.ok(terminal);
    const [link] = links.provideTerminalLinks({ line, terminal });
    assert.ok(link);
    await links.handleTerminalLink(link);
  };

  it('open the file that is here, at its line, by a whole path or by that of the session', async () => {
    await machine.configure([{ ...BUILD, folders: { '/srv/work': folder } }]);
    for (const [text, line] of [
      ['src/a.ts:2:2: error', 1],
      ['at /srv/work/src/a.ts:3', 2],
    ] as const) {
      await follow(text);
      await until(() => vscode.window.activeTextEditor?.selection.start.line, line);
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path.join(folder, 'src', 'a.ts'));
    }
    assert.equal(vscode.window.activeTextEditor?.selection.start.character, 0);
  });

  it('say where the file is, and what to do, if it is not known to be here', async () => {
    machine.fixture.user.buttons.push(undefined);
    await follow('src/a.ts:2');
    const { message, actions } = await machine.fixture.user.hears(/is on/);
    assert.match(
      message,
      /^"\/srv\/work\/src\/a\.ts" is on "Build machine"\. If its files are on this machine/,
    );
    assert.deepEqual(actions, ['Open Settings']);
    await machine.configure([{ ...BUILD, folders: { '/srv/work': folder } }]);
    await follow('src/other.ts:2');
    await machine.fixture.user.hears(/^There is no file ".*other\.ts" on this machine\.$/);
  });
});
