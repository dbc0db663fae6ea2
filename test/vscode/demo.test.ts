import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import * as vscode from 'vscode';

import { startDemo } from '../../src/vscode/demo.js';
import { until } from '../support/until.js';
import { extension, Fixture, untilOutput } from './fixture.js';

/** The window that `npm start` opens, which tells the extension to start a session. */
describe('the demo', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  it('starts one session in the demo workspace, and shows it', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder);
    await startDemo(fixture.services);
    assert.equal(fixture.list.sessions.length, 0, 'nothing in a workspace of somebody else');
    const script = path.join(folder, 'demo.sh');
    fs.copyFileSync(path.join(extension().extensionPath, 'test/rig/demo/demo.sh'), script);
    try {
      await startDemo(fixture.services);
      const [session] = fixture.list.sessions;
      assert.ok(session);
      assert.equal(session.label, 'Welcome to Exec Sessions');
      await untilOutput(session, 'you>');
      const { terminals } = fixture.services;
      await until(() => terminals.sessionOf(vscode.window.activeTerminal), session);
      await startDemo(fixture.services);
      assert.equal(fixture.list.sessions.length, 1, 'after a reload there is something to see');
      assert.deepEqual(fixture.user.messages, []);
    } finally {
      fs.rmSync(script);
    }
  });
});
