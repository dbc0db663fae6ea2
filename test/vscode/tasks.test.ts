import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import type { ExecSession, ExecSessionsApi } from '../../src/api/exec-sessions.js';
import { commandSuggestions } from '../../src/vscode/commands/start/commandSuggestions.js';
import { textOf } from '../support/bytes.js';
import { isRunning } from '../support/processes.js';
import { until } from '../support/until.js';
import { extension } from './fixture.js';

/** The tasks of tasks.json that are ours, as VS Code's own commands run them. */
describe('tasks', () => {
  let api: ExecSessionsApi;
  const disposables: vscode.Disposable[] = [];
  /** The exit codes of the tasks that have ended, by their names. */
  let codes: Map<string, number | undefined>;
  /** The sessions that other tests have left to the server, which may be about to be removed. */
  let others: ReadonlySet<string>;

  before(async () => {
    api = (await extension().activate()) as ExecSessionsApi;
  });

  beforeEach(() => {
    codes = new Map();
    others = new Set(api.list().map(({ id }) => id));
    vscode.tasks.onDidEndTaskProcess(
      ({ execution, exitCode }) => codes.set(execution.task.name, exitCode),
      undefined,
      disposables,
    );
  });

  afterEach(async () => {
    disposables.splice(0).forEach((disposable) => void disposable.dispose());
    for (const session of api.list().filter(({ id }) => !others.has(id))) {
      await session.kill();
      await until(() => ['closed', 'lost'].includes(session.info().state));
      session.remove();
    }
    // VS Code may open the terminal of a task only now.
    await until(() => {
      vscode.window.terminals.forEach((terminal) => terminal.dispose());
      return vscode.window.terminals.length;
    }, 0);
  });

  after(() => write(undefined));

  const write = async (tasks: readonly object[] | undefined) =>
    vscode.workspace.getConfiguration('tasks').update('tasks', tasks, vscode.ConfigurationTarget.Workspace);
  /** Writes tasks of our type into tasks.json, and runs the last of them. */
  const run = async (
    ...tasks: readonly { readonly commandLine: string; readonly [key: string]: unknown }[]
  ) => {
    await write(tasks.map((task) => ({ type: 'exec-session', problemMatcher: [], ...task })));
    const last = tasks.at(-1)?.commandLine;
    let found: vscode.Task | undefined;
    await until(async () => {
      found = (await vscode.tasks.fetchTasks({ type: 'exec-session' })).find(
        ({ definition }) => definition['commandLine'] === last,
      );
      return found !== undefined;
    });
    assert.ok(found);
    return vscode.tasks.executeTask(found);
  };
  const named = (title: string): ExecSession | undefined =>
    api.list().find((one) => one.info().title === title);
  const ended = async (label: string) => {
    await until(() => codes.has(label));
    return codes.get(label);
  };
  const running = async (title: string): Promise<ExecSession> => {
    await until(() => named(title)?.info().state, 'running');
    const session = named(title);
    assert.ok(session);
    return session;
  };
  const terminalsOf = (title = '') => vscode.window.terminals.filter(({ name }) => name.includes(title));
  /** Waits until the terminal of its task shows a session: VS Code opens it some time after it has run the task. */
  const isOpen = async (session: ExecSession) => {
    const { title } = session.info();
    await until(() => terminalsOf(title).length, 1);
    const [ofTask] = terminalsOf(title);
    await until(async () => {
      await vscode.commands.executeCommand('execSessions.openTerminal', session.id);
      const others = terminalsOf(title).filter((terminal) => terminal !== ofTask);
      others.forEach((terminal) => terminal.dispose());
      return others.length === 0;
    });
  };

  it('run as a session, which stays with its output, and end with its exit code', async () => {
    await run({
      label: 'fails',
      commandLine: 'echo "in $PWD with $COLOUR and ${workspaceFolderBasename}"; exit 3',
      cwd: '/',
      env: { COLOUR: 'red' },
    });
    assert.equal(await ended('fails'), 3);
    const session = named('fails');
    assert.ok(session);
    const folder = vscode.workspace.workspaceFolders?.[0]?.name;
    assert.match(textOf((await session.read()).chunks), new RegExp(`in / with red and ${folder}\\r\\n`));
  });

  it('run before the tasks that depend on them, in the folder of the workspace', async () => {
    await run(
      { label: 'first', commandLine: 'pwd > out.txt' },
      { label: 'second', commandLine: 'cat out.txt; rm out.txt', dependsOn: 'first' },
    );
    assert.equal(await ended('second'), 0);
    const session = named('second');
    assert.ok(session);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.equal(textOf((await session.read()).chunks).trim(), folder);
  });

  it('run in a sandbox, also when they run again, and are not offered without one', async () => {
    const commandLine = 'echo in > in.txt && rm in.txt && echo out > /var/tmp/es-task-out.txt';
    await run({ label: 'bounded', commandLine, sandbox: true });
    assert.notEqual(await ended('bounded'), 0);
    const session = named('bounded') ?? assert.fail();
    const out = '/var/tmp/es-task-out.txt';
    await until(() => session.info().exit?.refused?.file, out);
    const again = api.get(await vscode.commands.executeCommand('execSessions.runAgain', session.id));
    await until(() => again?.info().exit?.refused?.file, out);
    assert.deepEqual(again?.info().sandbox, session.info().sandbox);
    const suggested = (await Promise.all(commandSuggestions('local'))).flat();
    assert.deepEqual(
      suggested.filter(({ text }) => text === commandLine),
      [],
    );
  });

  it('show the problems that their output names', async () => {
    const problemMatcher = {
      owner: 'suite',
      fileLocation: ['relative', '${workspaceFolder}'],
      pattern: { regexp: '^(.+):(\\d+): (.+)$', file: 1, line: 2, message: 3 },
    };
    await run({ label: 'compiles', commandLine: 'echo "broken.c:7: no semicolon"; exit 1', problemMatcher });
    assert.equal(await ended('compiles'), 1);
    const problems = () => vscode.languages.getDiagnostics().flatMap(([, found]) => found);
    await until(
      () => problems(),
      (seen) => seen.some(({ message }) => message === 'no semicolon'),
    );
    const problem = problems().find(({ message }) => message === 'no semicolon');
    assert.equal(problem?.range.start.line, 6);
  });

  it('stop their session when they are terminated, and are over before they run again', async () => {
    const lock =
      'trap "sleep 1; rmdir lock; exit 0" INT; mkdir lock || exit 9; echo locked; while :; do sleep 0.1; done';
    const execution = await run({ label: 'serves', commandLine: lock });
    const first = await running('serves');
    await isOpen(first);
    await until(
      async () => textOf((await first.read()).chunks),
      (seen) => seen.includes('locked'),
    );
    execution.terminate();
    await vscode.tasks.executeTask(execution.task);
    const again = () => api.list().find((one) => one.info().title === 'serves' && one.id !== first.id);
    await until(() => again() !== undefined);
    assert.ok(first.info().exit, 'nothing of it is left to hold the lock');
    const second = again();
    assert.ok(second);
    await until(
      async () => textOf((await second.read()).chunks),
      (seen) => seen.includes('locked'),
    );
    await second.stop();
    await until(() => codes.get('serves'), second.info().exit?.exitCode);
  });

  it('end with their session when that is stopped in the list', async () => {
    await run({ label: 'sleeps', commandLine: 'exec sleep 1000' });
    const session = await running('sleeps');
    const { pid = 0 } = session.info();
    await session.stop();
    assert.equal(await ended('sleeps'), 130);
    await until(async () => !(await isRunning(pid)));
  });

  it('show the terminal of the task from its row, as long as it runs', async () => {
    await run({ label: 'shown', commandLine: 'exec sleep 1000' });
    const session = await running('shown');
    await isOpen(session);
    await session.stop();
    assert.equal(await ended('shown'), 130);
    await vscode.commands.executeCommand('execSessions.openTerminal', session.id);
    await until(() => terminalsOf('shown').length, 2);
  });

  it('need no label', async () => {
    await run({ commandLine: 'exit 4' });
    assert.equal(await ended('exit 4'), 4);
    assert.ok(named('exit 4'));
  });

  it('say why they cannot be started', async () => {
    await run({ label: 'nowhere', commandLine: 'true', cwd: '/nope/dir' });
    assert.equal(await ended('nowhere'), 127);
    assert.equal(named('nowhere'), undefined);
  });
});
