import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { until } from '../../support/processes.js';
import { useBuildMachine } from './setup.js';

describe('environments', () => {
  const machine = useBuildMachine();
  const { backend, startThere } = machine;

  it('group the tree, with rows that VS Code can act on', async () => {
    const { tree } = machine.fixture.services;
    const session = await startThere();
    await until(() => tree.getChildren().length === 2);
    const [here, there] = tree.getChildren();
    assert.ok(here && there);
    const item = tree.getTreeItem(there);
    assert.deepEqual([item.label, item.description], ['Build machine', 'connected']);
    assert.equal(item.contextValue, ';environment;disconnectable;startable;token;');
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    assert.equal(tree.getTreeItem(here).collapsibleState, vscode.TreeItemCollapsibleState.None);
    const [group] = tree.getChildren(there);
    assert.ok(group);
    assert.equal(tree.getTreeItem(group).contextValue, ';innerGroup;');
    const node = tree.nodeOf(session);
    assert.deepEqual(tree.getChildren(group), [node]);
    assert.equal(tree.getParent(node), group);
    assert.equal(tree.getParent(group), there);
    assert.equal(tree.getParent(there), undefined);
    machine.fixture.user.commandLines.push({ text: 'ls', mode: 'terminal' });
    assert.ok(there.kind === 'environment');
    await machine.fixture.commands['execSessions.newSessionInEnvironment'](there);
    assert.equal(backend().processes.length, 2);
  });
});
