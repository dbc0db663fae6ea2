import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { FakeClock } from '../support/fakeClock.js';
import { until } from '../support/until.js';
import { SessionsView } from '../../src/vscode/tree/sessionsView.js';
import type { TreeNode } from '../../src/vscode/tree/nodes.js';
import { Fixture } from './fixture.js';

/** The commands that arrange the view, with a user played by the test. */
describe('the commands that arrange the view', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const groups = () =>
    fixture.services.tree.model.groups.map(
      ({ label, rows }) => `${label}: ${rows.map((row) => row.label).join()}`,
    );

  it('filter while a person types, and keep that or what is chosen instead', async () => {
    await fixture.run('exit 3');
    await fixture.start('sleep 100');
    const filter = async (text: string, pick?: string) => {
      fixture.user.typed.push({ text, ...(pick !== undefined && { pick }) });
      await fixture.commands['execSessions.filter']();
      return fixture.services.tree.model.filter;
    };
    await until(() => groups().join(), 'Running: sleep 100,Closed: exit 3');
    assert.equal(await filter('sleep', '"sleep"'), '"sleep"');
    assert.match(fixture.user.asked.at(-1) ?? '', /^Filter: "sleep" 1 session, /);
    assert.deepEqual(groups(), ['Running: sleep 100']);
    assert.equal(await filter('exit'), '"sleep"', 'Esc restores the filter before');
    assert.equal(
      await filter('fail', 'Failed'),
      '"sleep", failed',
      'the text was typed to find the criterion',
    );
    assert.deepEqual(groups(), []);
    assert.equal(await filter('', '$(check) Failed'), '"sleep"');
    assert.equal(await filter('', 'Any text'), undefined);
    assert.equal(await filter('', 'Started by agents'), 'by agents');
    assert.equal(await filter('', 'Clear Filter'), undefined);
    assert.equal(await filter('', 'This machine'), 'on This machine');
    const folder = fixture.list.sessions[0]?.request.cwd ?? '';
    assert.match((await filter('', folder)) ?? '', /^on This machine, in /);
    await fixture.commands['execSessions.clearFilter']();
    assert.equal(groups().length, 2);
  });

  it('open one box to filter, although the key is pressed again', async () => {
    let opened = 0;
    let escape = (): void => undefined;
    fixture.user.live = ({ follow }) => {
      opened++;
      follow('abc', () => undefined);
      return new Promise((resolve) => {
        escape = () => resolve(undefined);
      });
    };
    const first = fixture.commands['execSessions.filter']();
    await until(() => fixture.services.tree.model.filter, '"abc"');
    await fixture.commands['execSessions.filter']();
    assert.equal(opened, 1);
    escape();
    await first;
    assert.equal(fixture.services.tree.model.filter, undefined, 'Esc restores the filter before');
    fixture.user.live = () => Promise.resolve(undefined);
    await fixture.commands['execSessions.filter']();
  });

  it('group, and remember that for the workspace', async () => {
    await fixture.start('sleep 100');
    fixture.user.picks.push('Owner');
    await fixture.commands['execSessions.groupBy']();
    assert.deepEqual(groups(), ['an extension: sleep 100'.replace('an', 'An')]);
    assert.equal(fixture.memento.get('execSessions.grouping'), 'owner');
    await fixture.commands['execSessions.groupBy']('state');
    assert.deepEqual(groups(), ['Running: sleep 100']);
  });

  it('pin and unpin', async () => {
    const session = await fixture.start('sleep 100');
    await fixture.commands['execSessions.pin'](session.id);
    await until(() => groups().join(), 'Pinned: sleep 100');
    await fixture.commands['execSessions.unpin'](session.id);
    await until(() => groups().join(), 'Running: sleep 100');
  });

  it('open sessions in the editor area, and beside', async () => {
    const session = await fixture.start('sleep 100', { tty: true });
    await fixture.commands['execSessions.openInEditor'](session.id);
    await fixture.commands['execSessions.openBeside'](session.id);
    const options = vscode.window.terminals.map(
      ({ creationOptions }) => (creationOptions as vscode.ExtensionTerminalOptions).location,
    );
    assert.deepEqual(options, [
      { viewColumn: vscode.ViewColumn.Active, preserveFocus: false },
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
    ]);
  });

  it('ignore a Stop on a row that has just moved under the mouse, but not a key or a program', async () => {
    const { tree } = fixture.services;
    const session = await fixture.start('sleep 100');
    const node = tree.nodeOf(session);
    tree.getChildren();
    await fixture.commands['execSessions.pin'](session.id);
    assert.ok(tree.stillFor(session) < 500);
    await fixture.commands['execSessions.stop'](node);
    assert.equal(session.snapshot().stopping, false);
    assert.ok(!session.ended);
    fixture.selection = [session];
    await fixture.commands['execSessions.stop']({ selection: true });
    assert.ok(session.ended);
  });

  it('are shown in the title of the view, which says if nothing is left', async () => {
    await fixture.start('sleep 100');
    const view = vscode.window.createTreeView<TreeNode>('execSessions.test', {
      treeDataProvider: fixture.services.tree,
    });
    const shown = new SessionsView(
      fixture.services.tree,
      view,
      () => fixture.services.list.sessions,
      new FakeClock(),
    );
    try {
      await fixture.commands['execSessions.filter']({ failed: true });
      assert.deepEqual(
        [view.description, view.message],
        ['failed', 'No session matches the filter: failed.'],
      );
      await fixture.commands['execSessions.filter']({ text: 'sleep' });
      assert.equal(view.message, 'Filter: "sleep"');
      await fixture.commands['execSessions.clearFilter']();
      assert.deepEqual([view.description, view.message], ['', '']);
    } finally {
      shown.dispose();
      view.dispose();
    }
  });

  it('select the row of a terminal as soon as it is there', async () => {
    const { tree, list } = fixture.services;
    const revealed: TreeNode[] = [];
    const view: ConstructorParameters<typeof SessionsView>[1] = {
      visible: true,
      selection: [],
      onDidChangeSelection: never,
      onDidChangeVisibility: never,
      onDidExpandElement: never,
      onDidCollapseElement: never,
      onDidChangeCheckboxState: never,
      reveal: (node) => {
        revealed.push(node);
        return Promise.resolve();
      },
    };
    const shown = new SessionsView(tree, view, () => list.sessions, new FakeClock());
    try {
      const session = await fixture.start('sleep 100');
      // The terminal is in front before the row is drawn.
      await shown.reveal(session);
      await until(() => revealed.length > 0);
      assert.deepEqual(revealed, [tree.nodeOf(session)]);
      await shown.reveal(session);
      assert.equal(revealed.length, 2);
    } finally {
      shown.dispose();
    }
  });
});

/** An event of a view that never fires. */
function never(): vscode.Disposable {
  return new vscode.Disposable(() => undefined);
}
