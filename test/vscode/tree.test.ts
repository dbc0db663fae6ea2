import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { never } from '../../src/core/index.js';
import { Environments } from '../../src/sessions/environments/environments.js';
import { residentPlace } from '../support/residentPlace.js';
import { SessionList } from '../../src/sessions/list/sessionList.js';
import type { Session } from '../../src/sessions/list/session.js';
import { WindowFolders, WindowMarks } from '../../src/sessions/list/thisWindow.js';
import type { TreeNode } from '../../src/vscode/tree/nodes.js';
import { ArrangementChoice } from '../../src/sessions/tree/arrangement.js';
import { SessionTree } from '../../src/vscode/tree/sessionTree.js';
import { FakeClock } from '../support/fakeClock.js';
import { ScriptedBackend, type ScriptedProcess } from '../support/scriptedBackend.js';

describe('the tree', () => {
  let clock: FakeClock;
  let backend: ScriptedBackend;
  let far: ScriptedBackend;
  let environments: Environments;
  let list: SessionList;
  let choice: ArrangementChoice;
  let tree: SessionTree;
  let refreshed: (TreeNode | undefined)[];

  beforeEach(() => {
    clock = new FakeClock(Date.now());
    backend = new ScriptedBackend(clock);
    far = new ScriptedBackend(clock);
    list = new SessionList({ clock });
    environments = new Environments({
      local: residentPlace({ id: 'local', label: 'This machine', backend }),
      connectTo: () => Promise.resolve({ backend: far, disconnect: () => undefined }),
      connected: () => undefined,
    });
    choice = new ArrangementChoice({ grouping: undefined, elsewhere: undefined }, () => undefined);
    tree = new SessionTree(list, environments, clock, choice, new WindowFolders(() => [], never));
    refreshed = [];
    tree.onDidChangeTreeData((node) => refreshed.push(node));
  });

  afterEach(() => {
    tree.dispose();
    environments.dispose();
    list.dispose();
  });

  const start = async (commandLine: string): Promise<Session> => {
    const session = await list.start(
      { id: 'local', label: 'Local', backend },
      { argv: ['x'], commandLine, cwd: '/', env: {}, tty: true, origin: { kind: 'user' } },
    );
    clock.advance(100);
    return session;
  };

  const processOf = (session: Session): ScriptedProcess => {
    const process = backend.processes.find(({ processId }) => processId === session.id);
    assert.ok(process);
    return process;
  };

  /** The lines of the tree: groups, each with its rows below it. */
  const drawn = (): string[] =>
    tree.getChildren().flatMap((group) => {
      const { label, description } = tree.getTreeItem(group);
      const rows = tree.getChildren(group).map((node) => {
        const item = tree.getTreeItem(node);
        return `  ${item.label as string} | ${item.description as string}`;
      });
      return [`${label as string} ${description as string}`, ...rows];
    });

  it('shows groups with counts, the newest session first', async () => {
    assert.deepEqual(drawn(), []);
    const first = await start('npm run dev');
    await start('npm test');
    processOf(first).ends(130, 'SIGINT');
    clock.advance(1_100);
    assert.deepEqual(drawn(), [
      'Running 1',
      '  npm test | < 1 m',
      'Closed 1',
      '  npm run dev | SIGINT · just now',
    ]);
    assert.equal(tree.model.running, 1);
  });

  it('has what VS Code needs to know of a row', async () => {
    const session = await start('npm test');
    const node = tree.nodeOf(session);
    const item = tree.getTreeItem(node);
    assert.equal(item.id, session.id);
    assert.equal(item.contextValue, ';session;running;tty;stdin;closable;unpinned;');
    assert.equal(item.command?.command, 'execSessions.showSelected');
    assert.equal(item.command.arguments, undefined, 'VS Code forgets them when it draws the row anew');
    assert.ok(item.iconPath instanceof vscode.ThemeIcon);
    assert.match(item.accessibilityInformation?.label ?? '', /^npm test, has been running for/);
    assert.equal(item.tooltip, undefined, 'it is made when it is asked for');
    assert.equal(tree.nodeOf(session), node, 'always the same');
    assert.deepEqual(tree.getParent(node), { kind: 'group', key: 'running', environment: undefined });
  });

  it('has rows below a running session, which are looked at while it is expanded and can be seen', async () => {
    const session = await start('npm run dev');
    const node = tree.nodeOf(session);
    const process = processOf(session);
    let asked = 0;
    const ports = [{ port: 3000, addresses: ['::'] }];
    process.usage = () => {
      asked += 1;
      return Promise.resolve({ processes: 2, cpuSeconds: asked / 4, memoryBytes: 41 * 1024 * 1024, ports });
    };
    const below = () => tree.getChildren(node).map((child) => tree.getTreeItem(child).label);
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) {
        clock.advance(100);
        await new Promise(setImmediate);
      }
    };
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    assert.equal(tree.getTreeItem(node).collapsibleState, Collapsed);
    tree.setVisible(true);
    await pass(125_000);
    assert.equal(asked, 8, 'nobody has expanded it: only its ports are looked at, less and less often');
    assert.match(String(tree.getTreeItem(node).description), /^:3000 · /);
    refreshed.length = 0;
    assert.deepEqual(below(), ['Reading its CPU, memory and ports…']);
    await pass(100);
    assert.ok(refreshed.includes(node), 'there are other rows now');
    assert.deepEqual(below(), ['41 MiB', 'http://localhost:3000']);
    const [load, port] = tree.getChildren(node);
    assert.ok(load?.kind === 'usage' && port?.kind === 'usage');
    assert.deepEqual(
      [tree.getParent(port), tree.addressOf(load), tree.addressOf(port)],
      [node, undefined, 'http://localhost:3000'],
    );
    refreshed.length = 0;
    await pass(500);
    assert.deepEqual(refreshed, [load], 'the row that differs, and no other');
    assert.equal(tree.getTreeItem(load).label, 'CPU 50 % · 41 MiB');
    tree.setExpanded(node, false);
    const before = asked;
    await pass(10_000);
    assert.equal(asked, before);
    tree.setExpanded(node, true);
    await pass(100);
    assert.equal(asked, before + 1);
    process.ends(0);
    await pass(2_100);
    assert.equal(tree.getTreeItem(node).collapsibleState, None);
    assert.deepEqual(below(), []);
  });

  it('makes tooltips that run nothing', async () => {
    const session = await start('[click](command:workbench.action.quit)');
    const node = tree.nodeOf(session);
    const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.equal(tooltip.isTrusted, false);
    assert.match(tooltip.value, /npm|click/);
  });

  it('redraws a row once after output has outdated its seen tooltip', async () => {
    const session = await start('npm test');
    const node = tree.nodeOf(session);
    const hover = () => {
      const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(node), node);
      assert.ok(tooltip instanceof vscode.MarkdownString);
      return tooltip.value;
    };
    refreshed.length = 0;
    assert.match(hover(), /0 bytes/);
    clock.advance(10_000);
    assert.deepEqual(refreshed, [], 'it is right');
    for (let count = 0; count < 100; count++) {
      processOf(session).prints('x');
      clock.advance(100);
    }
    assert.deepEqual(refreshed, [node]);
    assert.match(hover(), /100 bytes/);
    processOf(session).prints('x');
    list.dispose();
    tree.dispose();
    assert.equal(clock.pendingTimers, 0);
  });

  it('does not redraw a row for its tooltip if it was drawn meanwhile', async () => {
    const session = await start('npm test');
    const node = tree.nodeOf(session);
    tree.resolveTreeItem(tree.getTreeItem(node), node);
    processOf(session).prints('x');
    session.rename('other');
    clock.advance(100);
    tree.getTreeItem(node);
    refreshed.length = 0;
    clock.advance(10_000);
    assert.deepEqual(refreshed, []);
  });

  it('draws a flood of changes once', async () => {
    const session = await start('npm test');
    refreshed.length = 0;
    for (let count = 0; count < 1_000; count++) {
      session.rename(`name ${count}`);
    }
    assert.deepEqual(refreshed, []);
    clock.advance(100);
    assert.deepEqual(refreshed, [tree.nodeOf(session)]);
  });

  it('looks at no session that has not changed', async () => {
    const two = await start('two');
    let looks = 0;
    for (const session of [await start('one'), two, await start('three')]) {
      const snapshot = session.snapshot.bind(session);
      session.snapshot = () => {
        looks += 1;
        return snapshot();
      };
    }
    processOf(two).ends(0);
    clock.advance(1_100);
    assert.deepEqual(drawn(), [
      'Running 2',
      '  three | < 1 m',
      '  one | < 1 m',
      'Succeeded 1',
      '  two | exit 0 · just now',
    ]);
    assert.equal(looks, 1);
  });

  it('keeps the place of a row for a second after its end, and takes its buttons away', async () => {
    const first = await start('npm run dev');
    await start('npm test');
    clock.advance(10_000);
    processOf(first).ends(1);
    clock.advance(100);
    const inline = () => String(tree.getTreeItem(tree.nodeOf(first)).contextValue).includes(';settled;');
    assert.deepEqual(drawn(), ['Running 2', '  npm test | < 1 m', '  npm run dev | exit 1 · just now']);
    assert.deepEqual([tree.model.running, inline()], [1, false]);
    assert.ok(tree.stillFor(first) > 9_000, 'nothing has moved');
    clock.advance(1_000);
    assert.deepEqual(drawn(), [
      'Running 1',
      '  npm test | < 1 m',
      'Closed 1',
      '  npm run dev | exit 1 · just now',
    ]);
    assert.ok(inline());
    assert.ok(tree.stillFor(first) < 100);
    assert.equal(clock.pendingTimers, 0);
  });

  it('gives the place of a restarted session to the one that repeats it', async () => {
    const first = await start('npm run dev');
    await start('npm test');
    tree.expectRepeat(first);
    processOf(first).ends(1);
    await list.runAgain(first);
    clock.advance(1_100);
    assert.deepEqual(
      drawn().map((line) => line.split(' | ')[0]),
      ['Running 2', '  npm test', '  npm run dev', 'Closed 1', '  npm run dev'],
    );
  });

  it('is drawn in another arrangement at once', async () => {
    const session = await start('npm run dev');
    await start('npm test');
    new WindowMarks(new WindowFolders(() => [], never)).set([session], 'pinned', true);
    choice.show({ text: 'dev' });
    assert.deepEqual(drawn(), ['Pinned 1', '  npm run dev | < 1 m']);
    assert.equal(tree.model.filter, '"dev"');
    assert.deepEqual(tree.getParent(tree.nodeOf(session)), {
      kind: 'group',
      key: 'pinned',
      environment: undefined,
    });
  });

  it('draws nothing for output', async () => {
    const session = await start('npm test');
    refreshed.length = 0;
    processOf(session).prints('x'.repeat(1_000));
    clock.advance(10_000);
    assert.deepEqual(refreshed, []);
  });

  it('moves times on once a minute, only while it can be seen, and only where the text changes', async () => {
    const session = await start('npm test');
    tree.setVisible(true);
    refreshed.length = 0;
    clock.advance(59_000);
    assert.deepEqual(refreshed, []);
    clock.advance(61_000);
    assert.deepEqual(refreshed, [tree.nodeOf(session), tree.nodeOf(session)]);
    tree.setVisible(false);
    refreshed.length = 0;
    clock.advance(600_000);
    assert.deepEqual(refreshed, []);
    assert.equal(clock.pendingTimers, 0);
  });

  it('counts down each second while the connection is restored, and only while it can be seen', async () => {
    const session = await start('npm test');
    environments.define([{ id: 'far', name: 'Far', kind: 'command', argv: ['ssh'] }]);
    const there = await environments.connect('far');
    await list.start(there, { ...session.request, commandLine: 'make' });
    tree.setVisible(true);
    far.loses('cut', 45_000);
    clock.advance(100);
    const texts = () =>
      tree.getChildren().map((node) => {
        const { label, description } = tree.getTreeItem(node);
        return `${label as string} | ${description as string}`;
      });
    assert.deepEqual(texts(), ['This machine | ', 'Far | recovering · 45 s left']);
    refreshed.length = 0;
    clock.advance(5_000);
    assert.deepEqual(texts(), ['This machine | ', 'Far | recovering · 40 s left']);
    assert.deepEqual(refreshed, new Array(5).fill({ kind: 'environment', id: 'far' }));
    tree.setVisible(false);
    refreshed.length = 0;
    clock.advance(5_000);
    assert.deepEqual(refreshed, []);
    tree.setVisible(true);
    far.recovers();
    clock.advance(100);
    assert.deepEqual(texts(), ['This machine | ', 'Far | connected']);
    refreshed.length = 0;
    clock.advance(30_000);
    assert.deepEqual(refreshed, [], 'the minute is enough again');
    far.fails('no answer');
    clock.advance(100);
    assert.deepEqual(texts(), ['This machine | ', 'Far | lost: no answer']);
    assert.deepEqual(
      tree
        .getChildren(tree.getChildren()[1])
        .flatMap((group) => tree.getChildren(group))
        .map((node) => tree.getTreeItem(node).description),
      ['lost: no answer'],
    );
  });

  it('forgets a session that was removed', async () => {
    const session = await start('npm test');
    processOf(session).ends(0);
    const node = tree.nodeOf(session);
    list.remove([session]);
    clock.advance(100);
    assert.deepEqual(drawn(), []);
    assert.equal(tree.getTreeItem(node).label, 'npm test', 'VS Code may still ask for it');
    assert.equal(tree.getTreeItem(node).contextValue, undefined);
  });
});
