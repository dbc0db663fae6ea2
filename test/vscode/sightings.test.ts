import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { OUTPUT_SCHEME } from '../../src/vscode/ids.js';
import { isSightingNode, type SightingNode } from '../../src/vscode/tree/nodes.js';
import { killIfThere } from '../support/killIfThere.js';
import { describeOnLinux } from '../support/onLinux.js';
import { isRunning, processesNaming } from '../support/processes.js';
import { until } from '../support/until.js';
import { Fixture, setSetting } from './fixture.js';

describeOnLinux('the rows of processes that are no sessions', () => {
  let fixture: Fixture;
  let folder: string;
  let agent: ChildProcess;

  beforeEach(async () => {
    await setSetting('view.otherProcesses', true);
    fixture = new Fixture();
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'es-seen-')));
    // A program with the name of an agent, whose commands have POSIX sessions of their own as those of agents do.
    copyFileSync('/bin/bash', path.join(folder, 'claude'));
    const command = `echo ${folder}; (exec -a ${folder} sleep 1000); true`;
    const script = `setsid bash -c '${command}' > out.log & setsid bash -c '${command}' & wait`;
    agent = spawn(path.join(folder, 'claude'), ['-c', script], { cwd: folder, stdio: 'ignore' });
  });

  afterEach(async () => {
    await setSetting('view.otherProcesses', undefined);
    await fixture.dispose();
    [agent.pid ?? 0, ...processesNaming(folder)].forEach((pid) => killIfThere(pid));
    rmSync(folder, { recursive: true });
  });

  const tree = () => fixture.services.tree;
  const all = (nodes = tree().getChildren().filter(isSightingNode)): SightingNode[] =>
    nodes.flatMap((node) => [node, ...all(tree().getChildren(node).filter(isSightingNode))]);
  /** The rows of the agent and of what it has started. */
  const rows = () =>
    all().filter((node) => {
      const parent = tree().getParent(node) ?? node;
      return [node, parent].some((one) => tree().getTreeItem(one).id?.startsWith(`sighting:${agent.pid} `));
    });
  const shown = () => rows().map(({ row }) => [row.label, row.description].join(': '));
  const writing = (): SightingNode => {
    const node = rows().find((one) => one.row.label.startsWith('echo'));
    return node ?? assert.fail('no row');
  };

  it('appear below their agent while the view is visible, and go with the setting @all', async () => {
    assert.deepEqual(rows(), []);
    tree().setVisible(true);
    await until(shown, (seen) => seen.length === 3);
    const [first, ...commands] = shown();
    assert.equal(first, `Claude Code: 2 commands · pid ${agent.pid} · ${folder}`);
    assert.deepEqual(
      commands.map((one) => one.replaceAll(folder, 'X')),
      Array.from({ length: 2 }, () => 'echo X; (exec -a X sleep 1000); true: < 1 m · seen'),
    );
    await setSetting('view.otherProcesses', false);
    await until(() => tree().getChildren().some(isSightingNode), false);
  });

  it('are stopped with everything below them, after a question @all', async () => {
    tree().setVisible(true);
    await until(shown, (seen) => seen.length === 3);
    const pids = processesNaming(folder);
    fixture.user.confirms.push(false, true);
    await fixture.commands['execSessions.stopSighting'](writing());
    assert.match(fixture.user.messages.at(-1) ?? '', /^Stop echo .* \(pid \d+\) and 1 process below it\?$/);
    assert.ok(await isRunning(agent.pid ?? 0));
    const [row] = rows();
    await fixture.commands['execSessions.stopSighting'](row);
    assert.match(
      fixture.user.messages.join('\n'),
      /^Stop \/.*\/claude -c .* \(pid \d+\) and \d processes below it\?$/m,
    );
    await until(async () => (await Promise.all(pids.map(isRunning))).some(Boolean), false);
    await until(() => rows().length, 0);
  });

  it('are cleaned up once they have outlived their agent @all', async () => {
    tree().setVisible(true);
    await until(
      () => rows().length,
      (count) => count >= 3,
    );
    killIfThere(agent.pid ?? 0);
    let names: readonly string[] = [];
    await until(async () => {
      // Nothing is asked while there is nothing to clean up.
      fixture.user.pickedMany.splice(0, Infinity, undefined);
      await fixture.commands['execSessions.cleanUp']();
      const asked = fixture.user.asked.at(-1) ?? '';
      names = asked
        .replace('Clean Up: ', '')
        .split(', ')
        .filter((name) => name.includes(folder));
      return names.length;
    }, 2);
    fixture.user.pickedMany.splice(0, Infinity, names, names);
    fixture.user.confirms.push(false, true);
    await fixture.commands['execSessions.cleanUp']();
    assert.equal(processesNaming(folder).length, 4);
    await fixture.commands['execSessions.cleanUp']();
    assert.match(fixture.user.messages.join('\n'), /^Stop 2 processes, and everything below\?/m);
    assert.deepEqual(processesNaming(folder), []);
  });

  it('show the file that a process writes to, also what comes later @all', async () => {
    tree().setVisible(true);
    await until(shown, (seen) => seen.length === 3);
    const log = path.join(folder, 'out.log');
    const text = () =>
      vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .find(({ uri }) => uri.scheme === OUTPUT_SCHEME)
        ?.getText();
    const refused: string[] = [];
    for (const node of rows().filter(({ row }) => row.sighting?.kind === 'command')) {
      fixture.selectedSighting = node;
      await fixture.commands['execSessions.showSelected']().catch((error: unknown) =>
        refused.push(String(error)),
      );
    }
    assert.deepEqual(
      refused.map((one) => one.slice(-10)),
      ['/dev/null.'],
    );
    await until(text, `${folder}\n`);
    appendFileSync(log, 'more \u001b]52;c;Zm9v\u0007\u001b[31mred\n');
    rmSync(log);
    await until(text, `${folder}\nmore red\n`);
  });
});
