import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { ExecError } from '../../../src/core/index.js';
import { until } from '../../support/until.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';
import { BUILD, useBuildMachine } from './setup.js';

const REFUSED = new ExecError({ kind: 'connectionRefused', target: BUILD.url });

describe('environments', () => {
  const machine = useBuildMachine();
  const { backend, configure, environments, startThere, state } = machine;

  it('are connected by the first session in them, which is made of what is there alone (SECURITY.md: You)', async () => {
    const session = await startThere();
    assert.equal(state(), 'connected');
    const params = backend().processes[0]?.params;
    assert.deepEqual(params?.argv, ['/opt/zsh', '-c', 'make all']);
    assert.equal(params.cwd, '/srv/work');
    assert.equal(params.envPolicy?.inherit, 'all');
    assert.equal(params.env['TERM'], 'xterm-256color');
    assert.equal(params.env['PATH'], undefined, 'nothing of this machine goes there');
    assert.deepEqual(session.snapshot().environment, { id: 'build', label: 'Build machine' });
    assert.deepEqual(
      [machine.fixture.user.offered[0]?.place, machine.fixture.user.offered[0]?.shell],
      ['Build machine', '/opt/zsh'],
      'the box says where it will run',
    );
    await until(() => machine.fixture.services.terminals.sessionOf(vscode.window.activeTerminal), session);
  });

  it('start in the directory of their setting, and what is named is found below it', async () => {
    await configure([{ ...BUILD, cwd: '~/project' }]);
    await until(() => environments().definitionOf('build')?.cwd, '~/project');
    await startThere();
    assert.equal(backend().processes[0]?.params.cwd, '/home/there/project');
    const { api } = machine.fixture.services;
    await api.start({ argv: ['x'], environment: 'build', cwd: 'src', show: false });
    assert.equal(backend().processes[1]?.params.cwd, '/home/there/project/src');
    assert.equal(machine.asked.length, 1);
  });

  it('leave New Session to this machine', async () => {
    await startThere();
    machine.fixture.user.commandLines.push({ text: 'true', mode: 'pipes' });
    const id = await machine.fixture.commands['execSessions.newSession']();
    assert.equal(machine.fixture.list.get(id ?? '')?.environment.id, 'local');
    assert.deepEqual(machine.fixture.user.offered.at(-1)?.history, [], 'and each has its own history');
  });

  it('are picked with their states, and the settings are one step away', async () => {
    await machine.fixture.commands['execSessions.newSessionInEnvironment']();
    assert.deepEqual(machine.fixture.user.asked, [
      'New Session in Environment: This machine, Build machine, Add Environment…, Change Environments…',
    ]);
    machine.fixture.user.picks.push('Build machine');
    await machine.fixture.commands['execSessions.connectEnvironment']();
    assert.equal(state(), 'connected');
    await machine.fixture.commands['execSessions.connectEnvironment']();
    assert.equal(machine.fixture.user.messages.at(-1), 'All environments are connected.');
  });

  it('show what runs there already', async () => {
    let found: ScriptedBackend | undefined;
    const connect = machine.fixture.connect;
    machine.fixture.connect = async (options) => {
      const connection = await connect(options);
      found = backend();
      found.runs({ processId: 'h', argv: ['sleep', '9'], cwd: '/', env: {}, tty: true });
      return connection;
    };
    await machine.fixture.commands['execSessions.connectEnvironment']('build');
    await until(() => machine.fixture.list.sessions.length, 1);
    const [session] = machine.fixture.list.sessions;
    assert.equal(session?.label, 'sleep 9');
    assert.equal(session.environment.backend, found);
  });

  it('are not connected in a workspace that is not trusted', async () => {
    machine.fixture.trusted = false;
    const untrusted = { name: 'UntrustedWorkspaceError' };
    const { commands, api } = { commands: machine.fixture.commands, api: machine.fixture.services.api };
    await assert.rejects(commands['execSessions.connectEnvironment']('build'), untrusted);
    await assert.rejects(commands['execSessions.newSessionInEnvironment']('build'), untrusted);
    await assert.rejects(environments().connect('build'), untrusted);
    await assert.rejects(api.start({ argv: ['x'], environment: 'build' }), /not trusted/);
    assert.deepEqual(machine.asked, []);
  });

  it('say what is wrong with a connection, and what to do', async () => {
    machine.refusals.push(REFUSED);
    await machine.fixture.commands['execSessions.connectEnvironment']('build');
    const [refused] = machine.fixture.user.said;
    assert.deepEqual(
      [refused?.kind, refused?.actions],
      ['error', ['Try Again', 'Open Settings', 'Show Log']],
    );
    assert.equal(state(), 'disconnected');
    const { api } = machine.fixture.services;
    machine.refusals.push(REFUSED);
    await assert.rejects(api.start({ argv: ['x'], environment: 'build' }), { name: 'UserError' });
    await assert.rejects(
      api.start({ argv: ['x'], environment: 'nowhere' }),
      /There is no environment "nowhere"/,
    );
  });

  it('do not hold up the end of the extension while they connect', async () => {
    let aborted = false;
    machine.fixture.connect = ({ signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    };
    const connecting = machine.fixture.commands['execSessions.connectEnvironment']('build');
    await until(() => state(), 'connecting');
    await machine.fixture.services.shutdown();
    await connecting;
    assert.ok(aborted);
    await assert.rejects(environments().connect('build'), { name: 'EnvironmentError' });
  });
});
