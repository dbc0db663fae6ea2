import * as vscode from 'vscode';

import { until } from '../support/until.js';
import { Fixture } from './fixture.js';

describe('Open Documentation', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await fixture.dispose();
  });

  it('shows the index of the documents as a page with links', async () => {
    await fixture.commands['execSessions.openDocumentation']();
    await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.input,
      (shown) => shown instanceof vscode.TabInputWebview && shown.viewType.endsWith('markdown.preview'),
    );
  });
});
