import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { stateFolder } from '../../src/local/index.js';
import type { Session } from '../../src/sessions/list/session.js';
import { rowFlags } from '../../src/sessions/words/rows.js';
import { isReceiptNode, type TreeNode } from '../../src/vscode/tree/nodes.js';
import { OUTPUT_SCHEME } from '../../src/vscode/ids.js';
import { removeFolder } from '../rig/lifetime.js';
import { outputFilesIn } from '../support/longOutput.js';
import { leaveHole } from '../support/outputHole.js';
import { until } from '../support/until.js';
import { endSessionServers } from '../support/sessionServers.js';
import { chosenBackend, closeTerminals, Fixture, setSetting, untilOutput } from './fixture.js';

const KIB = 1024;
/** The output of `seq 1 30000`. */
const NUMBERS = `${Array.from({ length: 30_000 }, (_, index) => index + 1).join('\n')}\n`;
/** Behind the output of a session that was lost. */
const MAY_BE_MISSING = '[the end may be missing: the server ended before all output was on disk]\n';

describe('output on disk', () => {
  const windows: Fixture[] = [];
  const outputFolder = path.join(stateFolder(process.env) ?? '', 'exec-sessions', 'output');
  let folder: string;
  const openWindow = (): Fixture => {
    const window = new Fixture();
    windows.push(window);
    return window;
  };

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-kept-'));
    await setSetting('local.backend', 'server');
  });

  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.leave()));
    await closeTerminals();
    await endSessionServers();
    await setSetting('local.backend', chosenBackend);
    for (const one of [folder, outputFolder]) {
      removeFolder(one);
    }
  });

  /** A session that has printed many numbers and waits for a line. Memory has let go most of them by then. */
  const startNumbers = async (window: Fixture): Promise<Session> => {
    const session = await window.start('seq 1 30000; read', { pipeStdin: true });
    await untilOutput(session, '\n30000\n');
    return session;
  };
  const letGo = ({ process }: Session) => process.evictTo(64 * KIB);
  const isKept = (session: Session) => rowFlags(session.snapshot()).includes('outputKept');
  const keep = async (window: Fixture, session: Session) => {
    await window.commands['execSessions.keepOutput'](session.id);
    await until(() => isKept(session));
    // It is answered when all is on disk that was printed before.
    await session.process.readKept({ afterSeq: session.process.info().output.lastSeq, maxBytes: 1 });
  };
  const copied = async (window: Fixture, session: Session) => {
    await window.commands['execSessions.copyOutput'](session.id);
    return vscode.env.clipboard.readText();
  };

  it('is switched on and off by the row of a session', async () => {
    const window = openWindow();
    const session = await window.start('sleep 1000');
    assert.ok(rowFlags(session.snapshot()).includes('outputKeepable'));
    await window.commands['execSessions.doNotKeepOutput'](session.id);
    assert.equal(window.user.messages.at(-1), 'The output of "sleep 1000" is not kept on disk.');
    await keep(window, session);
    assert.ok(!rowFlags(session.snapshot()).includes('outputKeepable'));
    await window.commands['execSessions.keepOutput'](session.id);
    assert.equal(window.user.messages.at(-1), 'The output of "sleep 1000" is kept on disk already.');
    await window.commands['execSessions.doNotKeepOutput'](session.id);
    await until(() => !isKept(session));
    await session.stop();
    await window.commands['execSessions.keepOutput'](session.id);
    assert.equal(window.user.messages.at(-1), '"sleep 1000" has ended: there is no more output to keep.');
  });

  it('replaces output that memory has dropped in a document, a saved file and a copy', async () => {
    const window = openWindow();
    const session = await startNumbers(window);
    await keep(window, session);
    letGo(session);
    const file = path.join(folder, 'numbers.log');
    window.user.files.push(vscode.Uri.file(file));
    await window.commands['execSessions.saveOutput'](session.id);
    assert.ok(fs.readFileSync(file, 'utf8') === NUMBERS);
    const uri = vscode.Uri.from({ scheme: OUTPUT_SCHEME, path: '/any.log', query: session.id });
    assert.ok((await window.services.documents.provideTextDocumentContent(uri)) === NUMBERS);
    assert.ok((await copied(window, session)) === NUMBERS);
    assert.deepEqual(window.user.said, []);
  });

  for (const [signal, tag] of [
    ['SIGTERM', ''],
    ['SIGKILL', ' @all'],
  ] as const) {
    it(`is opened from the row of an earlier session, whose server got ${signal}${tag}`, async () => {
      const session = await startNumbers(openWindow());
      const other = await windows[0]?.start('echo text; sleep 1000');
      assert.ok(windows[0] && other);
      await keep(windows[0], session);
      await endSessionServers(signal);
      const window = openWindow();
      window.services.tree.setVisible(true);
      const rows = () => window.services.tree.getChildren({ kind: 'earlier' }).filter(isReceiptNode);
      const rowOf = ({ id }: Session) => rows().find(({ receipt }) => receipt.sessionId === id);
      await until(
        () => rows().map(({ receipt }) => receipt.sessionId),
        (ids) => ids.includes(session.id) && ids.includes(other.id),
      );
      const row = rowOf(session) ?? assert.fail('There is no row.');
      const menuOf = (node: TreeNode) => window.services.tree.getTreeItem(node).contextValue;
      assert.equal(menuOf(row), ';receipt;outputOnDisk;');
      assert.equal(menuOf(rowOf(other) ?? row), ';receipt;');
      await window.commands['execSessions.openOutput'](row);
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.uri.scheme, OUTPUT_SCHEME);
      const text = signal === 'SIGKILL' ? `${NUMBERS}${MAY_BE_MISSING}` : NUMBERS;
      assert.ok(document.getText() === text, document.getText().slice(-200));
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      const file = path.join(folder, 'numbers.log');
      window.user.files.push(vscode.Uri.file(file));
      await window.commands['execSessions.saveOutput'](row);
      assert.ok(fs.readFileSync(file, 'utf8') === text);
      await window.commands['execSessions.copyOutput'](row);
      assert.ok((await vscode.env.clipboard.readText()) === text);
      await window.commands['execSessions.removeReceipt'](row);
      assert.deepEqual(outputFilesIn(outputFolder), []);
      await window.commands['execSessions.copyOutput'](row);
      assert.match(window.user.messages.at(-1) ?? '', /^The output of ".+" is not on disk any more\. /);
    });
  }

  it('has a line in each place where some of it is missing', async () => {
    const before = openWindow();
    const session = await startNumbers(before);
    await keep(before, session);
    await endSessionServers('SIGKILL');
    await leaveHole(outputFolder);
    const window = openWindow();
    window.services.tree.setVisible(true);
    const rows = () => window.services.tree.getChildren({ kind: 'earlier' }).filter(isReceiptNode);
    const row = () => rows().find(({ receipt }) => receipt.sessionId === session.id);
    await until(() => row() !== undefined);
    await window.commands['execSessions.openOutput'](row());
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^\[[\d.]+ KiB of older output are no longer kept; [\d.]+ KiB follow\]\n1\n2\n/);
    assert.match(text, /\n\d+\n\[… [\d.]+ KiB of the output are missing here …\]\n\d+\n/);
    assert.ok(text.endsWith(`\n30000\n${MAY_BE_MISSING}`), text.slice(-200));
  });

  it('is offered once when a person asks for output that memory has dropped', async () => {
    const window = openWindow();
    const session = await startNumbers(window);
    letGo(session);
    window.user.buttons.push('Keep Output on Disk');
    const missing = /^The output is not complete: \d+ KiB of older output are no longer kept\.$/;
    assert.match(await copied(window, session), /^\[\d+ KiB of older output are no longer kept/);
    const said = await window.user.hears(missing);
    assert.deepEqual(said.actions, ['Keep Output on Disk']);
    await until(() => isKept(session));
    await window.commands['execSessions.doNotKeepOutput'](session.id);
    await until(() => !isKept(session));
    const uri = vscode.Uri.from({ scheme: OUTPUT_SCHEME, path: '/any.log', query: session.id });
    await window.services.documents.provideTextDocumentContent(uri);
    assert.equal(window.user.said.length, 1, 'not again');
    // A person who asks explicitly is told each time, with the remaining remedies.
    await session.stop();
    window.user.files.push(vscode.Uri.file(path.join(folder, 'numbers.log')));
    await window.commands['execSessions.saveOutput'](session.id);
    assert.deepEqual(window.user.said.at(-1)?.actions, ['Open Settings', 'Show Log']);
  });

  it('fails with one message for each try, only in the window of the session', async () => {
    fs.mkdirSync(outputFolder, { recursive: true });
    // A folder that others can look into is not written to.
    fs.chmodSync(outputFolder, 0o755);
    const window = openWindow();
    const session = await window.start('echo one; read; echo two', { pipeStdin: true });
    await window.commands['execSessions.keepOutput'](session.id);
    const ended = /^The output of ".+" is no longer kept on disk: others can look into the folder .+/;
    const told = () => window.user.said.filter(({ message }) => ended.test(message)).length;
    await until(() => told(), 1);
    const late = openWindow();
    await late.services.lookForSessions();
    await until(() => late.list.get(session.id)?.record.keepOutputEnded !== undefined);
    // Other changes are not told again.
    session.rename('Renamed');
    await until(() => late.list.get(session.id)?.title, 'Renamed');
    assert.equal(told(), 1);
    await window.commands['execSessions.keepOutput'](session.id);
    await until(() => told(), 2);
    await window.commands['execSessions.sendText'](session.id, undefined, '');
    await until(() => session.state === 'closed' && late.list.get(session.id)?.state === 'closed');
    assert.equal(told(), 2);
    assert.deepEqual(late.user.said, []);
  });
});
