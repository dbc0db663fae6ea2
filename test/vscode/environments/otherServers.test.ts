import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { ExecError } from '../../../src/core/index.js';
import { BASE_SERVER } from '../../support/scriptedBackend.js';
import { setSetting } from '../fixture.js';
import { BUILD, useBuildMachine } from './setup.js';

describe('environments', () => {
  const machine = useBuildMachine();
  const { backend, configure, startThere } = machine;

  it('may do less, and unsupported actions are not offered', async () => {
    machine.capabilities = BASE_SERVER;
    const session = await startThere();
    const params = backend().processes[0]?.params;
    assert.equal(params?.size, undefined, 'it takes no size');
    await machine.fixture.commands['execSessions.sendSignal'](session.id);
    assert.equal(machine.fixture.user.asked.at(-1), 'Send Signal: SIGINT, SIGKILL');
    const pipes = machine.fixture.list.get(
      (await machine.fixture.commands['execSessions.newSession']({
        argv: ['cat'],
        environment: 'build',
        tty: false,
        pipeStdin: true,
        show: false,
      })) ?? '',
    );
    assert.ok(pipes);
    await machine.fixture.commands['execSessions.closeStandardInput'](pipes.id);
    assert.equal(
      machine.fixture.user.messages.at(-1),
      'The standard input of "cat" cannot be closed: its server cannot do that.',
    );
    assert.deepEqual(machine.fixture.services.api.get(pipes.id)?.info().cannot, [
      'resize',
      'closeStdin',
      'stop',
    ]);
  });

  it('name signals and times as they like, and only what makes sense is shown', async () => {
    machine.capabilities = { ...BASE_SERVER, signals: ['SIGINT', '$(zap) run', 'sig\nnal', 'SIGUSR1'] };
    const session = await startThere();
    await machine.fixture.commands['execSessions.sendSignal'](session.id);
    assert.equal(machine.fixture.user.asked.at(-1), 'Send Signal: SIGINT, SIGUSR1');
    const { tree } = machine.fixture.services;
    const process = backend().processes[0] ?? assert.fail();
    const info = process.info.bind(process);
    process.info = () => ({ ...info(), startedAt: 1e300 });
    const { tooltip } = tree.resolveTreeItem(new vscode.TreeItem(''), tree.nodeOf(session));
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /Started/);
  });

  it('put nothing into messages that can be clicked', async () => {
    machine.refusals.push(
      new ExecError({
        kind: 'unauthorized',
        target: BUILD.url,
        reason: '[Sign in](command:workbench.action.quit)\nnow',
      }),
    );
    await machine.fixture.commands['execSessions.connectEnvironment']('build');
    assert.match(
      machine.fixture.user.messages[0] ?? '',
      /\[Sign in\] \(command:workbench\.action\.quit\) now/,
    );
    await startThere();
    backend().fails('gone [x](command:y)\u202e');
    const { message } = await machine.fixture.user.hears(/was lost/);
    assert.ok(message.endsWith('gone [x] (command:y).'), message);
    await configure([{ ...BUILD, kind: '[x](command:y)' }, BUILD]);
    await machine.fixture.user.hears(/"kind" must be .* it is "\[x\] \(command:y\)"/);
    await setSetting('stop.killMilliseconds', '[x](command:y)');
    await machine.fixture.user.hears(/"execSessions\.stop\.killMilliseconds" is "\[x\] \(command:y\)"/);
    await setSetting('stop.killMilliseconds', undefined);
  });
});
