import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { OUTPUT_SCHEME } from '../../src/vscode/ids.js';
import { until } from '../support/until.js';
import { extension, Fixture, untilOutput } from './fixture.js';

describe('output as a document', () => {
  let fixture: Fixture;

  before(() => extension().activate());

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  it('follows a session calmly, and stays when the session is removed', async () => {
    const { documents } = fixture.services;
    const session = await fixture.start('echo one; read; echo two; read; echo three', { pipeStdin: true });
    await untilOutput(session, 'one');
    const uri = vscode.Uri.from({ scheme: OUTPUT_SCHEME, path: '/any.log', query: session.id });
    const changes: string[] = [];
    documents.onDidChange((changed) => changes.push(changed.toString()));
    assert.equal(await documents.provideTextDocumentContent(uri), 'one\n');
    await fixture.commands['execSessions.sendText'](session.id, undefined, '');
    await fixture.commands['execSessions.sendText'](session.id, undefined, '');
    await until(() => session.state, 'closed');
    await until(() => changes.length > 0);
    assert.deepEqual(changes, [uri.toString()], 'two lines, the exit and the close are one change');
    assert.equal(await documents.provideTextDocumentContent(uri), 'one\ntwo\nthree\n');
    fixture.list.remove([session]);
    assert.match(await documents.provideTextDocumentContent(uri), /removed from the list/);
  });
});
