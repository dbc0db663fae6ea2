import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { ExecError, systemClock } from '../../../src/core/index.js';
import type { ShownMember } from '../../../src/sessions/environments/index.js';
import type { EngineDefinition } from '../../../src/sessions/list/environment.js';
import type { TreeNode } from '../../../src/vscode/tree/nodes.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';
import { until } from '../../support/until.js';
import { Fixture } from '../fixture.js';

const BOXES: EngineDefinition = { id: 'boxes', name: 'Boxes', kind: 'podman', members: '' };
const REFUSED = new ExecError({ kind: 'connectionRefused', target: 'podman c' });

describe('engines', () => {
  let fixture: Fixture;
  let members: readonly ShownMember[];
  /** The servers of the members by the ids of the environments. */
  const backends = new Map<string, ScriptedBackend>();
  const refused = new Set<string>();

  beforeEach(() => {
    fixture = new Fixture();
    backends.clear();
    refused.clear();
    members = ['a', 'b', 'c'].map((name) => ({ name, state: 'running' }));
    fixture.listMembers = () => Promise.resolve({ members, leftOut: 0 });
    fixture.connect = ({ definition: { id } }) => {
      if (refused.has(id)) {
        return Promise.reject(REFUSED);
      }
      const host = { platform: 'linux', cwd: '/work', homeDir: '/root' } as const;
      const backend = new ScriptedBackend(systemClock, { host });
      backends.set(id, backend);
      return Promise.resolve({ backend, disconnect: () => backend.fails('disconnected') });
    };
    fixture.services.environments.define([], [BOXES]);
  });

  afterEach(() => fixture.dispose());

  const textOf = (node: TreeNode): string => {
    const { label, description } = fixture.services.tree.getTreeItem(node);
    return `${label as string}: ${description as string}`;
  };
  const below = (node?: TreeNode): readonly string[] => fixture.services.tree.getChildren(node).map(textOf);
  /** Waits until these rows are below the node. */
  const shows = (rows: readonly string[], node?: TreeNode) =>
    until(() => below(node).join('\n'), rows.join('\n'));
  const nodeOf = (text: string, parent?: TreeNode): TreeNode => {
    const found = fixture.services.tree.getChildren(parent).find((node) => textOf(node).startsWith(text));
    return found ?? assert.fail(`no ${text} in ${below(parent).join()}`);
  };
  const expand = async (): Promise<TreeNode> => {
    const { tree } = fixture.services;
    await shows(['Boxes: podman']);
    tree.setVisible(true);
    const engine = nodeOf('Boxes');
    assert.equal(tree.getTreeItem(engine).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    // VS Code asks for them when somebody expands the row.
    assert.deepEqual(below(engine), ['Looking for members…: ']);
    await shows(['a: running', 'b: running', 'c: running'], engine);
    return engine;
  };
  const processOf = (id: string) => backends.get(`boxes/${id}`)?.processes.at(-1);

  it('have a row with their members, and a session starts on each with one click', async () => {
    const { tree } = fixture.services;
    const engine = await expand();
    const member = nodeOf('a', engine);
    assert.ok(member.kind === 'environment');
    assert.equal(tree.getParent(member), engine);
    fixture.user.commandLines.push({ text: 'uptime', mode: 'terminal' });
    const id = await fixture.commands['execSessions.newSessionInEnvironment'](member);
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    assert.equal(session.environment.id, 'boxes/a');
    assert.equal(processOf('a')?.params.owned, true, 'it stays when the window is gone');
    await until(() => below(engine)[0], 'a: connected · running');
    await shows(['Running: 1'], nodeOf('a', engine));
    const group = tree.getParent(tree.nodeOf(session));
    assert.ok(group);
    assert.equal(tree.getParent(group), member);
    members = members.slice(1);
    await fixture.commands['execSessions.refreshMembers'](engine.kind === 'engine' ? engine : undefined);
    await shows(['b: running', 'c: running', 'a: connected · gone'], engine);
    await fixture.services.environments.disconnect('boxes/a');
    await until(() => below(engine).at(-1), 'a: gone');
  });

  it('say what failed when they cannot be asked', async () => {
    fixture.listMembers = () => Promise.reject(new Error('Cannot connect to the daemon.'));
    await shows(['Boxes: podman']);
    const engine = nodeOf('Boxes');
    fixture.services.tree.setVisible(true);
    await shows(['Cannot connect to the daemon.: '], engine);
    const [note] = fixture.services.tree.getChildren(engine);
    assert.ok(note);
    assert.equal(fixture.services.tree.getParent(note), engine);
  });

  it('run one command on several members, below one row, and the failed ones again', async () => {
    const { tree } = fixture.services;
    const engine = await expand();
    refused.add('boxes/c');
    fixture.user.pickedMany.push(['a', 'b', 'c']);
    fixture.user.commandLines.push({ text: 'make', mode: 'pipes' });
    await fixture.commands['execSessions.newSessionOnSeveral']();
    assert.deepEqual(fixture.user.asked, ['New Session on Several: This machine, a, b, c']);
    assert.equal(fixture.user.offered[0]?.place, '3 environments');
    await until(() => below()[0], 'make: 0 of 3 exit 0, 2 running, 1 failed');
    const batch = nodeOf('make');
    assert.ok(batch.kind === 'group');
    assert.match(below(batch).at(-1) ?? '', /^c: Cannot connect/);
    processOf('a')?.ends(0);
    processOf('b')?.ends(2);
    await until(() => below()[0], 'make: 1 of 3 exit 0, 2 failed');
    assert.equal(tree.getTreeItem(batch).contextValue, ';batch;failed;');
    assert.equal(vscode.window.terminals.length, 0, 'their rows are enough');
    refused.clear();
    const retrying = fixture.commands['execSessions.retryFailed'](batch);
    await until(() => below()[0], 'make: 1 of 3 exit 0, 2 running');
    processOf('b')?.ends(0);
    processOf('c')?.ends(0);
    await retrying;
    await until(() => below()[0], 'make: 3 of 3 exit 0');
    assert.equal(tree.getTreeItem(batch).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.ok(below(engine).includes('b: connected · running'));
  });

  it('run at most eight at a time, and no more once the batch is stopped', async () => {
    members = Array.from({ length: 12 }, (_, at) => ({ name: `m${at}`, state: 'running' }));
    const rows = members.map(({ name }) => ({ kind: 'environment', id: `boxes/${name}` }) as const);
    fixture.user.commandLines.push({ text: 'sleep 9', mode: 'pipes' });
    await fixture.commands['execSessions.newSessionOnSeveral'](rows[0], rows);
    await until(() => below()[0], 'sleep 9: 0 of 12 exit 0, 8 running, 4 waiting');
    processOf('m3')?.ends(0);
    await until(() => below()[0], 'sleep 9: 1 of 12 exit 0, 8 running, 3 waiting');
    const batch = nodeOf('sleep 9');
    assert.ok(batch.kind === 'group');
    await fixture.commands['execSessions.stopBatch'](batch);
    await until(() => below()[0], 'sleep 9: 1 of 12 exit 0, 8 running, 3 failed');
    assert.deepEqual(below(batch).slice(-3), ['m9: not started', 'm10: not started', 'm11: not started']);
    backends.forEach(({ processes }) =>
      processes.filter(({ log }) => !log.ended).forEach((process) => process.ends(143, 'SIGTERM')),
    );
    await until(() => below()[0], 'sleep 9: 1 of 12 exit 0, 11 failed');
  });

  it('keep the row of a batch in the window that finds its sessions', async () => {
    await expand();
    fixture.user.pickedMany.push(['a', 'b']);
    fixture.user.commandLines.push({ text: 'make', mode: 'pipes' });
    await fixture.commands['execSessions.newSessionOnSeveral']();
    await until(() => fixture.list.sessions.length, 2);
    const ids = fixture.list.sessions.map((session) => session.record.batch);
    assert.ok(ids[0] !== undefined && ids[0] === ids[1]);
    assert.equal(processOf('a')?.params.metadata?.['batch'], ids[0], 'the server keeps it for all windows');
  });
});
