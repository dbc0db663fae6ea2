import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import { ExecError, systemClock, type HostInfo } from '../../src/core/index.js';
import type { Session } from '../../src/sessions/list/session.js';
import type { ConnectOptions } from '../../src/vscode/environments/connectRemote.js';
import { until } from '../support/processes.js';
import { BASE_SERVER, ScriptedBackend } from '../support/scriptedBackend.js';
import { Fixture, setSetting } from './fixture.js';

const HOST: HostInfo = {
  platform: 'linux',
  shell: { name: 'zsh', path: '/opt/zsh' },
  cwd: '/srv/work',
  homeDir: '/home/there',
};
const BUILD = { id: 'build', name: 'Build machine', kind: 'websocket', url: 'ws://127.0.0.1:1' };

const REFUSED = new ExecError({ kind: 'connectionRefused', target: BUILD.url });
const UNAUTHORIZED = new ExecError({
  kind: 'unauthorized',
  target: BUILD.url,
  reason: 'missing websocket bearer token',
});

/** Environments of the settings, with servers played by the test. */
describe('environments', () => {
  let fixture: Fixture;
  let backends: ScriptedBackend[];
  let asked: ConnectOptions[];
  let disconnected: number;
  /** The errors that refuse the next connections, in order. */
  let refusals: Error[];
  let capabilities: typeof BASE_SERVER | undefined;

  beforeEach(async () => {
    backends = [];
    asked = [];
    disconnected = 0;
    refusals = [];
    capabilities = undefined;
    fixture = new Fixture();
    fixture.connect = (options) => {
      asked.push(options);
      const refusal = refusals.shift();
      if (refusal !== undefined) {
        return Promise.reject(refusal);
      }
      const backend = new ScriptedBackend(systemClock, { host: HOST, ...(capabilities && { capabilities }) });
      backends.push(backend);
      return Promise.resolve({
        backend,
        disconnect: () => {
          disconnected += 1;
          backend.fails('disconnected');
        },
      });
    };
    await configure([BUILD]);
  });

  afterEach(async () => {
    await setSetting('environments', undefined);
    await fixture.dispose();
  });

  const environments = () => fixture.services.environments;
  const configure = async (list: readonly unknown[]) => {
    await setSetting('environments', list);
    await until(() => environments().all.length > 1);
  };
  const state = (id = 'build') => environments().get(id)?.state.kind;
  const startThere = async (text = 'make all'): Promise<Session> => {
    fixture.user.commandLines.push({ text, mode: 'terminal' });
    const id = await fixture.commands['execSessions.newSessionInEnvironment']('build');
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    return session;
  };
  const backend = () => backends.at(-1) ?? assert.fail('nothing was connected');

  it('are connected by the first session in them, which is made of what is there alone', async () => {
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
      [fixture.user.offered[0]?.place, fixture.user.offered[0]?.shell],
      ['Build machine', '/opt/zsh'],
      'the box says where it will run',
    );
    await until(() => fixture.services.terminals.sessionOf(vscode.window.activeTerminal) === session);
  });

  it('start in the directory of their setting, and what is named is found below it', async () => {
    await configure([{ ...BUILD, cwd: '~/project' }]);
    await until(() => environments().definitionOf('build')?.cwd === '~/project');
    await startThere();
    assert.equal(backend().processes[0]?.params.cwd, '/home/there/project');
    const { api } = fixture.services;
    await api.start({ argv: ['x'], environment: 'build', cwd: 'src', show: false });
    assert.equal(backend().processes[1]?.params.cwd, '/home/there/project/src');
    assert.equal(asked.length, 1);
  });

  it('leave New Session to this machine', async () => {
    await startThere();
    fixture.user.commandLines.push({ text: 'true', mode: 'pipes' });
    const id = await fixture.commands['execSessions.newSession']();
    assert.equal(fixture.list.get(id ?? '')?.environment.id, 'local');
    assert.deepEqual(fixture.user.offered.at(-1)?.history, [], 'and each has its own history');
  });

  it('are picked with their states, and the settings are one step away', async () => {
    await fixture.commands['execSessions.newSessionInEnvironment']();
    assert.deepEqual(fixture.user.asked, [
      'New Session in Environment: This machine, Build machine, Add or Change Environments…',
    ]);
    fixture.user.picks.push('Build machine');
    await fixture.commands['execSessions.connectEnvironment']();
    assert.equal(state(), 'connected');
    await fixture.commands['execSessions.connectEnvironment']();
    assert.equal(fixture.user.messages.at(-1), 'All environments are connected.');
  });

  it('say how to add one if there is none', async () => {
    await setSetting('environments', undefined);
    await until(() => environments().all.length === 1);
    for (const command of [
      'execSessions.connectEnvironment',
      'execSessions.newSessionInEnvironment',
      'execSessions.disconnectEnvironment',
      'execSessions.setToken',
    ] as const) {
      fixture.user.said.length = 0;
      await fixture.commands[command]();
      const [message] = fixture.user.said;
      assert.match(
        message?.message ?? '',
        /no environment besides this machine yet\. Add one to the setting/,
      );
      assert.deepEqual(message?.actions, ['Open Settings']);
    }
  });

  it('name wrong entries of the setting in one message, and work with the others', async () => {
    await configure([{ ...BUILD, url: 'ws://me:hunter2@x' }, BUILD, { id: 'local' }]);
    const { message, actions } = await fixture.user.hears(/has entries that were left out/);
    assert.match(message, /number 1 \("build"\): .*Set Token…; number 3 \("local"\): /);
    assert.doesNotMatch(message, /hunter2/);
    assert.deepEqual(actions, ['Open Settings', 'Show Log']);
    assert.equal(state(), 'disconnected');
    assert.equal(fixture.user.said.length, 1);
  });

  it('are not connected in a workspace that is not trusted', async () => {
    fixture.trusted = false;
    const untrusted = { name: 'UntrustedWorkspaceError' };
    const { commands, api } = { commands: fixture.commands, api: fixture.services.api };
    await assert.rejects(commands['execSessions.connectEnvironment']('build'), untrusted);
    await assert.rejects(commands['execSessions.newSessionInEnvironment']('build'), untrusted);
    await assert.rejects(environments().connect('build'), untrusted);
    await assert.rejects(api.start({ argv: ['x'], environment: 'build' }), /not trusted/);
    assert.deepEqual(asked, []);
  });

  it('say what is wrong with a connection, and what to do', async () => {
    refusals.push(REFUSED);
    await fixture.commands['execSessions.connectEnvironment']('build');
    const [refused] = fixture.user.said;
    assert.deepEqual([refused?.kind, refused?.actions], ['error', ['Try Again', 'Show Log']]);
    assert.equal(state(), 'disconnected');
    const { api } = fixture.services;
    refusals.push(REFUSED);
    await assert.rejects(api.start({ argv: ['x'], environment: 'build' }), { name: 'UserError' });
    await assert.rejects(
      api.start({ argv: ['x'], environment: 'nowhere' }),
      /There is no environment "nowhere"/,
    );
  });

  describe('tokens', () => {
    it('are asked for where the server wants one, and connect then', async () => {
      const { user } = fixture;
      refusals.push(UNAUTHORIZED);
      user.buttons.push('Set Token…');
      user.inputs.push(' s3cret ');
      await fixture.commands['execSessions.connectEnvironment']('build');
      assert.deepEqual(user.said[0]?.actions, ['Set Token…', 'Show Log']);
      await until(() => state() === 'connected');
      assert.deepEqual(
        asked.map(({ token }) => token),
        [undefined, 's3cret'],
      );
      assert.deepEqual(user.asked, ['Token for "Build machine": '], 'an old one is never shown');
    });

    it('belong to one address, and can be taken away', async () => {
      fixture.user.inputs.push('s3cret', '');
      await fixture.commands['execSessions.setToken']('build');
      assert.deepEqual([...fixture.secrets.values.values()], ['s3cret']);
      await configure([{ ...BUILD, url: 'ws://127.0.0.1:2' }]);
      await until(() => environments().get('build')?.target === 'ws://127.0.0.1:2');
      await environments().connect('build');
      assert.equal(asked[0]?.token, undefined, 'whoever changes the address does not get the token');
      await environments().disconnect('build');
      await configure([BUILD]);
      await until(() => environments().get('build')?.target === BUILD.url);
      await environments().connect('build');
      assert.equal(asked[1]?.token, 's3cret');
      await fixture.commands['execSessions.setToken']('build');
      assert.equal(fixture.secrets.values.size, 0);
      assert.ok(fixture.user.said.every(({ message }) => !message.includes('s3cret')));
    });

    it('are not for programs', async () => {
      await configure([{ id: 'build', kind: 'command', argv: ['ssh'] }]);
      await until(() => environments().get('build')?.kind === 'command');
      await assert.rejects(fixture.commands['execSessions.setToken']('build'), /"build" takes no token/);
    });
  });

  it('show what runs there already', async () => {
    let found: ScriptedBackend | undefined;
    const connect = fixture.connect;
    fixture.connect = async (options) => {
      const connection = await connect(options);
      found = backend();
      found.runs({ processId: 'h', argv: ['sleep', '9'], cwd: '/', env: {}, tty: true });
      return connection;
    };
    await fixture.commands['execSessions.connectEnvironment']('build');
    await until(() => fixture.list.sessions.length === 1);
    const [session] = fixture.list.sessions;
    assert.equal(session?.label, 'sleep 9');
    assert.equal(session.environment.backend, found);
  });

  it('are left without a question if nothing runs there', async () => {
    await environments().connect('build');
    await fixture.commands['execSessions.disconnectEnvironment']('build');
    assert.deepEqual([state(), disconnected, fixture.user.messages], ['disconnected', 1, []]);
  });

  it('are not left while something runs there, unless that is meant', async () => {
    const session = await startThere();
    const disconnect = () => fixture.commands['execSessions.disconnectEnvironment']('build');
    await disconnect();
    assert.deepEqual(fixture.user.said, [
      {
        kind: 'confirm',
        message: 'Disconnect from "Build machine"? One session runs there.',
        actions: ['Disconnect', 'Stop and Disconnect'],
      },
    ]);
    assert.equal(state(), 'connected', 'nothing was answered');
    fixture.user.choices.push('Disconnect');
    await disconnect();
    assert.deepEqual([state(), session.state], ['disconnected', 'lost']);
  });

  it('tell of a loss, with a way back, and Run Again takes it', async () => {
    const session = await startThere();
    backend().loses('cut', 45_000);
    assert.equal(state(), 'recovering');
    assert.deepEqual(fixture.user.messages, [], 'the view and the terminals say so');
    fixture.user.buttons.push('Connect');
    backend().fails('the server does not answer');
    const { message, actions } = await fixture.user.hears(/was lost/);
    assert.equal(
      message,
      'The connection to "Build machine" was lost, and one session with it: the server does not answer',
    );
    assert.deepEqual(actions, ['Connect', 'Show Log']);
    await until(() => state() === 'connected');
    assert.equal(session.state, 'lost', 'what is lost stays so');
    await environments().disconnect('build');
    const again = await fixture.commands['execSessions.runAgain'](session.id);
    const next = fixture.list.get(again ?? '');
    assert.deepEqual([next?.environment.id, next?.state], ['build', 'running']);
    assert.equal(backends.length, 3);
    assert.equal(next?.environment.backend, backend());
  });

  it('of which no server is left say so when something is to be run again', async () => {
    const session = await startThere();
    await configure([{ id: 'other', kind: 'command', argv: ['x'] }]);
    await until(() => environments().get('build')?.removed === true);
    backend().fails('gone');
    await until(() => environments().get('build') === undefined);
    assert.equal(await fixture.commands['execSessions.runAgain'](session.id), undefined);
    await fixture.user.hears(/There is no environment "build"\. Look at the setting/);
  });

  it('can do less, and what they cannot is not offered', async () => {
    capabilities = BASE_SERVER;
    const session = await startThere();
    const params = backend().processes[0]?.params;
    assert.equal(params?.size, undefined, 'it takes no size');
    await fixture.commands['execSessions.sendSignal'](session.id);
    assert.equal(fixture.user.asked.at(-1), 'Send Signal: SIGINT, SIGKILL');
    const pipes = fixture.list.get(
      (await fixture.commands['execSessions.newSession']({
        argv: ['cat'],
        environment: 'build',
        tty: false,
        pipeStdin: true,
        show: false,
      })) ?? '',
    );
    assert.ok(pipes);
    await fixture.commands['execSessions.closeStandardInput'](pipes.id);
    assert.equal(
      fixture.user.messages.at(-1),
      'The standard input of "cat" cannot be closed: its server does not do that.',
    );
    assert.deepEqual(fixture.services.api.get(pipes.id)?.info().cannot, ['resize', 'closeStdin', 'stop']);
  });

  it('name signals and times as they like, and only what makes sense is shown', async () => {
    capabilities = { ...BASE_SERVER, signals: ['SIGINT', '$(zap) run', 'sig\nnal', 'SIGUSR1'] };
    const session = await startThere();
    await fixture.commands['execSessions.sendSignal'](session.id);
    assert.equal(fixture.user.asked.at(-1), 'Send Signal: SIGINT, SIGUSR1');
    const { tree } = fixture.services;
    const process = backend().processes[0] ?? assert.fail();
    const info = process.info.bind(process);
    process.info = () => ({ ...info(), startedAt: 1e300 });
    const { tooltip } = tree.resolveTreeItem(new vscode.TreeItem(''), tree.nodeOf(session));
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /Started/);
  });

  it('put nothing into messages that can be clicked', async () => {
    refusals.push(
      new ExecError({
        kind: 'unauthorized',
        target: BUILD.url,
        reason: '[Sign in](command:workbench.action.quit)\nnow',
      }),
    );
    await fixture.commands['execSessions.connectEnvironment']('build');
    assert.match(fixture.user.messages[0] ?? '', /\[Sign in\] \(command:workbench\.action\.quit\) now/);
    await startThere();
    backend().fails('gone [x](command:y)\u202e');
    const { message } = await fixture.user.hears(/was lost/);
    assert.ok(message.endsWith('gone [x] (command:y)'), message);
    await configure([{ ...BUILD, kind: '[x](command:y)' }, BUILD]);
    await fixture.user.hears(/"kind" must be .* it is "\[x\] \(command:y\)"/);
    await setSetting('stop.killMilliseconds', '[x](command:y)');
    await fixture.user.hears(/"execSessions\.stop\.killMilliseconds" is "\[x\] \(command:y\)"/);
    await setSetting('stop.killMilliseconds', undefined);
  });

  it('tell of sessions that were lost when they were, and not once more', async () => {
    await startThere();
    await environments().disconnect('build');
    assert.equal(fixture.list.sessions[0]?.state, 'lost');
    await startThere();
    backend().fails('gone');
    const { message } = await fixture.user.hears(/was lost/);
    assert.match(message, /and one session with it/);
  });

  it('do not hold up the end of the extension while they connect', async () => {
    let aborted = false;
    fixture.connect = ({ signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    };
    const connecting = fixture.commands['execSessions.connectEnvironment']('build');
    await until(() => state() === 'connecting');
    await fixture.services.shutdown();
    await connecting;
    assert.ok(aborted);
    await assert.rejects(environments().connect('build'), { name: 'EnvironmentError' });
  });

  it('are other machines: this one cannot be disconnected', async () => {
    await fixture.commands['execSessions.disconnectEnvironment']('local');
    assert.deepEqual(fixture.user.messages, [
      'This machine needs no connection; there is nothing to disconnect.',
    ]);
  });

  it('are in the API, with what becomes of their sessions', async () => {
    const { api } = fixture.services;
    assert.deepEqual(api.environments(), [
      { id: 'local', label: 'This machine', kind: 'local', state: 'connected' },
      { id: 'build', label: 'Build machine', kind: 'websocket', state: 'disconnected' },
    ]);
    const session = await api.start({ commandLine: 'make', environment: 'build', show: false });
    assert.equal(session.info().recovering, undefined);
    backend().loses('cut', 45_000);
    assert.equal(session.info().recovering?.reason, 'cut');
    assert.equal(api.environments()[1]?.state, 'recovering');
    backend().fails('gone');
    assert.deepEqual([session.info().state, session.info().failure], ['lost', 'gone']);
  });

  it('group the tree, with rows that VS Code can act on', async () => {
    const { tree } = fixture.services;
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
    assert.equal(tree.getTreeItem(group).contextValue, ';environmentGroup;');
    const node = tree.nodeOf(session);
    assert.deepEqual(tree.getChildren(group), [node]);
    assert.equal(tree.getParent(node), group);
    assert.equal(tree.getParent(group), there);
    assert.equal(tree.getParent(there), undefined);
    fixture.user.commandLines.push({ text: 'ls', mode: 'terminal' });
    assert.ok(there.kind === 'environment');
    await fixture.commands['execSessions.newSessionInEnvironment'](there);
    assert.equal(backend().processes.length, 2);
  });
});
