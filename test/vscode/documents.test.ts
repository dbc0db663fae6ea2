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

  it('is searched in all sessions, the newest first, while a person types', async () => {
    const search = async (text: string, pick?: string) => {
      fixture.user.typed.push({ text, ...(pick !== undefined && { pick }) });
      await fixture.commands['execSessions.searchOutput']();
      return fixture.user.asked.at(-1) ?? '';
    };
    assert.equal(await search('boom'), 'Search Output (nothing found): ');
    const older = await fixture.run(
      String.raw`printf 'a\033[31mBoom\033[0m\nquiet\n'; printf 'x%.0s' {1..5000}; echo boom`,
    );
    older.rename('older');
    await fixture.run('for i in {1..25}; do echo boom $i; done');
    const seen = await search('boom');
    assert.match(
      seen,
      /^Search Output \(22 of 27\): for i .* · exit 0 .*the newest 20 of 25 , boom 25 line 25, boom 24 line 24, /,
    );
    assert.match(seen, /boom 6 line 6, older · exit 0 [^,]*, \[…\] x+boom line 3, aBoom line 1$/);
    assert.equal(await search(' '), 'Search Output: ');
    fixture.list.remove(fixture.list.sessions);
  });
});
