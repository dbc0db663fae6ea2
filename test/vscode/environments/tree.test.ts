import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { until } from '../../support/until.js';
import { useBuildMachine } from './setup.js';

describe('environments', () => {
  const machine = useBuildMachine();
  const { backend, startThere } = machine;

  it('group the tree, with rows that VS Code can act on', async () => {
    const { tree } = machine.fixture.services;
    const session = await startThere();
    await until(() => tree.getChildren().length, 2);
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

  it('have ports whose address on their machine can be copied', async () => {
    const { tree } = machine.fixture.services;
    const session = await startThere();
    const [process] = backend().processes;
    assert.ok(process);
    const ports = [{ port: 3000, addresses: ['127.0.0.1'] }];
    process.usage = () => Promise.resolve({ processes: 1, cpuSeconds: 1, memoryBytes: 1024, ports });
    const node = tree.nodeOf(session);
    tree.setVisible(true);
    await until(() => tree.getChildren(node).length, 2);
    const [, port] = tree.getChildren(node);
    assert.ok(port?.kind === 'usage');
    assert.equal(tree.getTreeItem(port).contextValue, ';portThere;', 'without Open in Browser');
    await machine.fixture.commands['execSessions.copyPortAddress'](port);
    assert.equal(await vscode.env.clipboard.readText(), 'http://localhost:3000/');
  });
});
