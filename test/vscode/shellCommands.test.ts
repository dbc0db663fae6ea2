import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { type ShellCommand, ShellCommands } from '../../src/vscode/terminals/shellCommands.js';
import { FakeClock } from '../support/fakeClock.js';
import { until } from '../support/until.js';
import { Fixture } from './fixture.js';

/** A command that ends when it gets a line. Every shell reads it alike. */
const WAITS = `bash -c 'read line; exit 3'`;

/** Terminals with processes need node-pty, which the oldest VS Code builds with a script that is not run here. */
const hasShells = fs.existsSync(path.join(vscode.env.appRoot, 'node_modules/node-pty/prebuilds'));

/** The commands of real terminals. Only the two seconds that they must run are not real. */
(hasShells ? describe : () => undefined)('the commands of terminals that are not ours', () => {
  let fixture: Fixture;
  let clock: FakeClock;
  let shells: ShellCommands;
  let begun: number;
  let ended: number;
  let counting: vscode.Disposable;

  beforeEach(() => {
    fixture = new Fixture();
    clock = new FakeClock(1_000_000);
    shells = new ShellCommands(clock, fixture.services.messages);
    shells.follow(true);
    // After the commands have heard of it.
    [begun, ended] = [0, 0];
    counting = vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution(() => begun++),
      vscode.window.onDidEndTerminalShellExecution(() => ended++),
    );
  });

  afterEach(async () => {
    counting.dispose();
    shells.dispose();
    await fixture.dispose();
  });

  const openShell = async (shellPath = '/bin/bash') => {
    const terminal = vscode.window.createTerminal({ shellPath, cwd: os.tmpdir() });
    terminal.show();
    await until(() => terminal.shellIntegration?.cwd?.fsPath, os.tmpdir());
    return terminal;
  };
  const begin = async (terminal: vscode.Terminal, line = WAITS) => {
    const before = begun;
    terminal.sendText(line);
    await until(() => begun, before + 1);
  };
  const appear = async (terminal: vscode.Terminal, line?: string) => {
    await begin(terminal, line);
    clock.advance(2_000);
    const pid = await terminal.processId;
    const found = () => shells.commands.find(({ shellPid, end }) => shellPid === pid && end === undefined);
    await until(() => found() !== undefined);
    const command = found();
    assert.ok(command);
    return command;
  };
  const untilEnded = ({ id }: ShellCommand) =>
    until(() => shells.commands.find((one) => one.id === id)?.end !== undefined);

  for (const [shell, level] of [
    ['/bin/bash', ''],
    ['/bin/zsh', ' @all'],
    ['/usr/bin/fish', ' @all'],
  ] as const) {
    it(`appear after two seconds, and end with their exit code, in ${shell}${level}`, async () => {
      const terminal = await openShell(shell);
      await begin(terminal, `env API_TOKEN=hunter2hunter2 ${WAITS}`);
      const shellPid = (await terminal.processId) ?? 0;
      clock.advance(1_999);
      assert.equal(shells.commands.length, 0);
      clock.advance(1);
      await until(() => shells.commands.length, 1);
      const running = {
        ...{ id: shells.commands[0]?.id ?? '', terminal, shellPid, startedAt: 1_000_000 },
        ...{ command: `env API_TOKEN=*** ${WAITS}`, cwd: os.tmpdir() },
      };
      assert.deepEqual(shells.commands, [running]);
      clock.advance(500);
      terminal.sendText('');
      await untilEnded(running);
      assert.deepEqual(shells.commands, [{ ...running, end: { at: 1_002_500, exitCode: 3 } }]);
    });
  }

  it('are one for each terminal, and short ones are none', async () => {
    const [first, second] = [await openShell(), await openShell()];
    await begin(first, 'true');
    await until(() => ended, 1);
    await appear(second);
    await appear(first);
    const pids = shells.commands.map(({ shellPid }) => shellPid);
    assert.deepEqual(pids, [await second.processId, await first.processId]);
    assert.notEqual(shells.commands[0]?.id, shells.commands[1]?.id);
  });

  it('are none of ours, in a terminal or in that of a task', async () => {
    const own = await fixture.start('sleep 1000', { tty: true });
    const shown = fixture.services.terminals.open(own);
    await until(() => begun, 1);
    assert.ok(((await shown.processId) ?? -1) < 0);
    const task = await vscode.tasks.executeTask(
      new vscode.Task(
        { type: 'process' },
        vscode.TaskScope.Workspace,
        'ours',
        'suite',
        new vscode.CustomExecution(() =>
          fixture.services.tasks.run(
            { type: 'exec-sessions', commandLine: 'sleep 1000' },
            { name: 'ours', folder: undefined },
          ),
        ),
      ),
    );
    await until(() => begun, 2);
    const terminal = await openShell();
    await appear(terminal);
    assert.deepEqual(
      shells.commands.map(({ command }) => command),
      [WAITS],
    );
    task.terminate();
  });

  it('end with an unknown exit code when their terminal closes', async () => {
    const [terminal, other] = [await openShell(), await openShell()];
    const command = await appear(terminal);
    const stays = await appear(other);
    shells.show(command.id);
    await until(() => vscode.window.activeTerminal, terminal);
    terminal.dispose();
    await untilEnded(command);
    const [running, closed] = shells.commands;
    assert.deepEqual([running?.id, closed?.id], [stays.id, command.id]);
    assert.equal(running?.end, undefined);
    assert.deepEqual(closed?.end, { at: clock.wallTime(), exitCode: undefined });
    shells.show(command.id);
    await fixture.user.hears(/^The terminal of this command is closed\.$/);
  });

  it('are forgotten when they are no longer wanted', async () => {
    const terminal = await openShell();
    await appear(terminal);
    shells.follow(false);
    assert.deepEqual(shells.commands, []);
    terminal.sendText('');
    await until(() => ended, 1);
    await begin(terminal);
    clock.advance(2_000);
    assert.deepEqual(shells.commands, []);
  });

  it('are 20 ended ones at most, and all that run @all', async () => {
    const terminal = await openShell();
    const runs = await appear(await openShell());
    const ids: string[] = [];
    for (let count = 0; count < 21; count++) {
      const command = await appear(terminal);
      terminal.sendText('');
      await untilEnded(command);
      ids.push(command.id);
    }
    assert.deepEqual(
      shells.commands.map(({ id }) => id),
      [runs.id, ...ids.slice(1)],
    );
  });
});
