import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import type * as vscode from 'vscode';

import { toolDefinitions } from '../../../src/agent/definitions.js';
import type { ExecSessionsApi } from '../../../src/api/exec-sessions.js';
import { wrapperFor } from '../../../src/vscode/cli/wrapper.js';
import { CommandId } from '../../../src/vscode/commands/commandIds.js';
import { FakeVscode } from './fakeVscode.js';

const root = path.join(import.meta.dirname, '../../..');
const packageJSON: unknown = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));

/**
 * The entry is read and compiled at the start of every window. It registers the features of the extension, and writes
 * the small script of the command line, which takes 8 KB. A list of tools, or a room that crept in, would take several
 * times as much.
 */
const MOST_BYTES = 10_000;

/** The entry as it is shipped, with the rest of the extension outside. */
async function bundleEntry(): Promise<{ readonly code: string; readonly inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/extension.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    write: false,
    metafile: true,
    external: ['vscode', './vscode/main.js', './vscode/machine/awaitServer.js'],
  });
  const outputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return {
    code: outputFiles[0]?.text ?? '',
    inputs: outputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file),
  };
}

interface Entry {
  activate(context: unknown): ExecSessionsApi;
  deactivate(): Promise<void>;
}

describe('the entry of the extension', () => {
  let bundled: Awaited<ReturnType<typeof bundleEntry>>;
  let api: FakeVscode;
  /** The requests of the entry to the rest, in order; the first is its start. */
  let asked: string[];
  let failure: Error | undefined;
  let entry: Entry;
  let subscriptions: { dispose(): unknown }[];

  let storage: string;
  let variables: Map<string, string>;

  before(async () => {
    bundled = await bundleEntry();
    storage = fs.mkdtempSync(path.join(os.tmpdir(), 'es-entry-'));
  });

  after(() => {
    fs.rmSync(storage, { recursive: true, maxRetries: 5 });
  });

  const wrapper = () => wrapperFor(storage, path.join(storage, 'extension'));

  /** Stands for the rest, and notes the requests to it. */
  const main = {
    start: () => {
      asked.push('start');
      if (failure !== undefined) {
        throw failure;
      }
      const note =
        (what: string) =>
        (...args: readonly unknown[]) => {
          asked.push(what);
          return args;
        };
      return {
        api: { list: note('list'), onDidExit: note('onDidExit') },
        tree: {
          getChildren: note('getChildren'),
        },
        rowChanges: (listener: (rows: unknown) => void) => {
          treeChanges.push(listener);
        },
        documents: { onDidChange: () => undefined, provideTextDocumentContent: note('document') },
        diagnostics: { onDidChange: () => undefined, provideTextDocumentContent: note('diagnostics') },
        mcpServer: {
          allowed: true,
          onDidChangeAllowed: () => undefined,
          start: () => {
            asked.push('mcp');
            return Promise.resolve({ url: 'http://127.0.0.1:1/mcp', token: 'secret' });
          },
        },
        tools: new Map([
          ['list_sessions', { prepareInvocation: note('prepare'), invoke: note('list_sessions') }],
        ]),
        run: note('run'),
        profile: note('profile'),
        runTask: note('task'),
        shutdown: () => {
          asked.push('shutdown');
          return Promise.resolve();
        },
        dispose: note('dispose'),
      };
    },
  };
  let treeChanges: ((node: unknown) => void)[];

  /** Stands for the part that looks for session servers: what is waited for, by each activation. */
  const sight = {
    awaitServer: (seen: () => void) => {
      if (failure !== undefined) {
        throw failure;
      }
      sights.add(seen);
      return { dispose: () => sights.delete(seen) };
    },
  };
  let sights: Set<() => void>;
  /** Waits for the work that the activation leaves for later. */
  const later = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    api = new FakeVscode();
    asked = [];
    treeChanges = [];
    sights = new Set();
    failure = undefined;
    subscriptions = [];
    variables = new Map();
    const required: Readonly<Record<string, unknown>> = {
      'vscode': api.module,
      './vscode/main.js': main,
      './vscode/machine/awaitServer.js': sight,
      'node:fs': fs,
      'node:path': path,
    };
    const module = { exports: {} as Entry };
    const run = compileFunction(bundled.code, ['require', 'module']) as (
      require: (name: string) => unknown,
      module: unknown,
    ) => void;
    run((name) => {
      assert.ok(name in required, `the entry requires ${name}`);
      return required[name];
    }, module);
    entry = module.exports;
  });

  const activate = (state: Readonly<Record<string, unknown>> = {}): ExecSessionsApi =>
    entry.activate({
      subscriptions,
      extension: { packageJSON, extensionPath: path.join(storage, 'extension') },
      extensionPath: path.join(storage, 'extension'),
      globalStorageUri: { fsPath: storage },
      environmentVariableCollection: {
        append: (name: string, value: string) => variables.set(name, value),
      },
      workspaceState: { get: (key: string) => state[key] },
    });

  const rows = (): vscode.TreeDataProvider<unknown> => {
    assert.ok(api.rows);
    return api.rows;
  };

  it('is small, and has nothing of the rooms that wait for their first use', () => {
    assert.ok(bundled.code.length < MOST_BYTES, `${bundled.code.length} bytes`);
    const rooms = new Set(bundled.inputs.map((file) => file.split('/').slice(0, 2).join('/')));
    assert.deepEqual([...rooms].sort(), ['src/core', 'src/entry', 'src/extension.ts', 'src/vscode']);
  });

  it('registers every command and every tool, and no other, and loads nothing', () => {
    activate();
    assert.deepEqual([...api.commands.keys()].sort(), Object.values(CommandId).sort());
    assert.deepEqual(
      [...api.tools.keys()],
      toolDefinitions.map(({ name }) => name),
    );
    assert.equal(api.view, 'execSessions.sessions');
    assert.deepEqual([...api.documents.keys()], ['exec-session', 'exec-sessions-diagnostics']);
    assert.deepEqual([...api.servers.keys()], ['execSessions.mcp']);
    assert.deepEqual(api.channels, []);
    assert.deepEqual(asked, []);
  });

  it('puts the command line onto the PATH of terminals, and loads nothing for it', () => {
    activate();
    const { folder, file, text } = wrapper();
    assert.deepEqual([...variables], [['PATH', `${path.delimiter}${folder}`]]);
    assert.equal(fs.readFileSync(file, 'utf8'), text);
    assert.deepEqual(asked, []);
  });

  it('tells VS Code of the MCP server, and gives its version, without the rest', () => {
    assert.equal(activate().version, 1);
    const provider = api.servers.get('execSessions.mcp');
    assert.equal(provider?.provideMcpServerDefinitions().length, 1);
    api.settings.set('execSessions.agents.enabled', false);
    assert.equal(provider.provideMcpServerDefinitions().length, 0);
    api.settings.clear();
    api.trusted = false;
    assert.equal(provider.provideMcpServerDefinitions().length, 0);
    assert.deepEqual(asked, []);
  });

  const uses: Readonly<Record<string, { readonly use: () => unknown; readonly asks: string }>> = {
    'a command': { use: () => api.commands.get(CommandId.stopAll)?.(), asks: 'run' },
    'the view': { use: () => rows().getChildren(), asks: 'getChildren' },
    'a question about a tool': {
      use: () => api.tools.get('list_sessions')?.prepareInvocation({}),
      asks: 'prepare',
    },
    'a tool': { use: () => api.tools.get('list_sessions')?.invoke({}), asks: 'list_sessions' },
    'a document': {
      use: () => api.documents.get('exec-session')?.provideTextDocumentContent({}),
      asks: 'document',
    },
    'the diagnostics': {
      use: () => api.documents.get('exec-sessions-diagnostics')?.provideTextDocumentContent({}),
      asks: 'diagnostics',
    },
    'the profile of terminals': {
      use: () => api.profiles.get('execSessions.session')?.provideTerminalProfile({}),
      asks: 'profile',
    },
    'a task': {
      use: () => {
        const definition = { type: 'exec-session', commandLine: 'npm test' };
        const task = api.tasks.get('exec-session')?.resolveTask({ name: '', definition });
        assert.equal(task?.name, 'npm test');
        return task.execution.run(definition);
      },
      asks: 'task',
    },
  };
  for (const [what, { use, asks }] of Object.entries(uses)) {
    it(`loads the rest with the first use of ${what}, and once`, async () => {
      activate();
      await use();
      assert.deepEqual(asked, ['start', asks]);
      await use();
      assert.deepEqual(asked, ['start', asks, asks]);
    });
  }

  it('loads the rest with the first use of the API, which is synchronous', () => {
    activate().list();
    assert.deepEqual(asked, ['start', 'list']);
  });

  it('loads the rest for a listener of the API', () => {
    const listener = () => undefined;
    const disposables: vscode.Disposable[] = [];
    const given = activate().onDidExit(listener, 'this', disposables) as unknown as readonly unknown[];
    assert.deepEqual(asked, ['start', 'onDidExit']);
    assert.ok(given[0] === listener && given[1] === 'this' && given[2] === disposables);
  });

  it('loads the rest when a setting of ours changes, so that a mistake is reported', () => {
    activate();
    api.change('editor');
    assert.deepEqual(asked, []);
    api.change('execSessions');
    assert.deepEqual(asked, ['start']);
  });

  it('loads the rest when the workspace becomes trusted, and tells VS Code that the server may run', () => {
    activate();
    let changes = 0;
    api.servers.get('execSessions.mcp')?.onDidChangeMcpServerDefinitions(() => (changes += 1));
    api.trust();
    assert.deepEqual(asked, ['start']);
    assert.equal(changes, 1);
  });

  it('hands on what changes in the tree', () => {
    activate();
    const changed: unknown[] = [];
    rows().onDidChangeTreeData?.((node) => changed.push(node));
    void rows().getChildren();
    treeChanges.forEach((listener) => listener(['a row']));
    assert.deepEqual(changed, [['a row']]);
  });

  it('loads the rest at once for an MCP server whose address somebody was given, and for no other', () => {
    activate({ 'execSessions.mcpServer': { id: 'x', port: 1, known: false } });
    assert.deepEqual(asked, []);
    activate({ 'execSessions.mcpServer': { id: 'x', port: 1, known: true } });
    assert.deepEqual(asked, ['start']);
  });

  it('loads the rest at once for terminals to open again, and for the demo', () => {
    activate({ 'execSessions.openTerminals': [{ session: 'x' }] });
    assert.deepEqual(asked, ['start']);
    process.env['EXEC_SESSIONS_DEMO'] = '1';
    try {
      activate();
    } finally {
      delete process.env['EXEC_SESSIONS_DEMO'];
    }
    assert.deepEqual(asked, ['start', 'start']);
  });

  it('goes on without the look for a session server if that fails, and logs it', async () => {
    failure = new Error('no room');
    activate();
    await later();
    assert.deepEqual(api.logged, ['Cannot look for session servers: Error: no room']);
    assert.deepEqual([api.errors, asked], [[], []]);
  });

  it('loads the rest once there is a session server, for which the activation does not wait', async () => {
    activate();
    assert.equal(sights.size, 0, 'the look begins after the activation');
    await later();
    assert.deepEqual([sights.size, asked], [1, []]);
    sights.forEach((seen) => seen());
    assert.deepEqual([sights.size, asked], [0, ['start']], 'from then on the rest looks itself');
  });

  it('looks for no session server that nobody would use, or that the rest looks for already', async () => {
    api.settings.set('execSessions.local.backend', 'extensionHost');
    activate();
    await later();
    api.settings.clear();
    activate().list();
    await later();
    activate({ 'execSessions.mcpServer': { id: 'x', port: 1, known: true } });
    await later();
    assert.equal(sights.size, 0);
    activate();
    await later();
    assert.equal(sights.size, 1);
    subscriptions.forEach((one) => one.dispose());
    assert.equal(sights.size, 0);
  });

  it('starts the rest once, shows with each use why it could not, and tells who asked', async () => {
    failure = new Error('no room');
    const ours = activate({ 'execSessions.mcpServer': { id: 'x', port: 1, known: true } });
    const text = 'Exec Sessions could not start: no room. Reload the window to try again.';
    assert.deepEqual(api.errors, [text]);
    assert.throws(() => ours.list(), { message: text });
    await assert.rejects(Promise.resolve(api.commands.get(CommandId.stopAll)?.()), { message: text });
    assert.deepEqual(api.errors, [text, text, text]);
    assert.deepEqual(asked, ['start']);
    assert.deepEqual(api.channels, ['Exec Sessions'], 'one log for all uses');
  });

  it('shuts down what was loaded, and loads nothing after that', async () => {
    activate().list();
    await entry.deactivate();
    subscriptions.forEach((one) => one.dispose());
    assert.deepEqual(asked, ['start', 'list', 'shutdown', 'dispose']);

    const unused = activate();
    await entry.deactivate();
    subscriptions.forEach((one) => one.dispose());
    assert.throws(() => unused.list(), /VS Code is closing/);
    assert.equal(asked.filter((what) => what === 'start').length, 1);
  });
});
