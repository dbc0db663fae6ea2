import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import type { TerminalSize } from '../../src/core/index.js';
import type { Session } from '../../src/sessions/list/session.js';
import { OPEN_TERMINALS_KEY } from '../../src/vscode/ids.js';
import { until } from '../support/until.js';
import { endSessionServers } from '../support/sessionServers.js';
import {
  chosenBackend,
  closeTerminals,
  extension,
  Fixture,
  outputOf,
  setSetting,
  untilOutput,
} from './fixture.js';

/** A program on the whole screen, whose first output is no longer kept. It says its size when it is told of one: not in its trap, during which bash loses signals. */
const FULL_SCREEN = [
  `printf '\\e[?1049h'; seq 300000; trap told=1 WINCH; echo drawn`,
  `while :; do if [ -n "$told" ]; then told=; stty size; fi; sleep 0.1; done`,
].join('; ');

/** Records the sizes that a session is told from here on. */
function recordSizes({ process }: Session): readonly TerminalSize[] {
  const sizes: TerminalSize[] = [];
  const resize = process.resize.bind(process);
  process.resize = (size) => {
    sizes.push(size);
    return resize(size);
  };
  return sizes;
}

/** The columns of the editor that have a terminal of this name. */
const columnsOf = (name: string) =>
  vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
    tabs.some(({ input, label }) => input instanceof vscode.TabInputTerminal && label === name)
      ? [viewColumn]
      : [],
  );

describe('terminals that come back with their window', () => {
  const windows: Fixture[] = [];

  const openWindow = (memento?: Fixture['memento']): Fixture => {
    const window = new Fixture(memento);
    windows.push(window);
    return window;
  };

  /** The session with this id, once the window has it. */
  const found = async (window: Fixture, id: string) => {
    await window.services.lookForSessions();
    await until(() => window.list.get(id) !== undefined);
    return window.list.get(id) ?? assert.fail();
  };

  beforeEach(() => setSetting('local.backend', 'server'));

  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.leave()));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await closeTerminals();
    await endSessionServers();
    await setSetting('local.backend', chosenBackend);
  });

  it('have a program whose output is missing in part drawn anew, by one row less and back', async () => {
    const before = openWindow();
    const session = await before.start(FULL_SCREEN, { tty: true });
    await untilOutput(session, 'drawn');
    await windows.pop()?.leave();

    const after = openWindow();
    const back = await found(after, session.id);
    const told = recordSizes(back);
    after.services.terminals.open(back);
    const isOneLess = (size: TerminalSize, index: number) =>
      told.slice(index + 1).some(({ rows, columns }) => rows === size.rows + 1 && columns === size.columns);
    await until(
      () => told,
      (seen) => seen.some(isOneLess),
    );
    await until(async () => {
      const { rows, columns } = after.services.terminals.lastSize ?? assert.fail();
      return (await outputOf(back)).endsWith(`${rows} ${columns}\r\n`);
    });
  });

  it('are in the editor column again that they were in', async () => {
    const name = 'sleep 1234';
    const before = openWindow();
    const session = await before.start(name, { tty: true });
    const text = vscode.Uri.joinPath(extension().extensionUri, 'LICENSE');
    const document = await vscode.workspace.openTextDocument(text);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    before.services.terminals.open(session, { column: vscode.ViewColumn.Two });
    await until(() => columnsOf(name).join(), '2');
    await until(
      () => JSON.stringify(before.memento.get(OPEN_TERMINALS_KEY)),
      (seen) => seen.includes('"column":2'),
    );
    await windows.pop()?.leave();
    await until(() => columnsOf(name).length, 0);

    const after = openWindow(before.memento);
    await found(after, session.id);
    await until(() => columnsOf(name).join(), '2');
  });
});
