import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import type { StartOptions } from '../../src/api/exec-sessions.js';
import { type Member, never } from '../../src/core/index.js';
import type { HistoryEntry } from '../../src/sessions/list/commandHistory.js';
import { LOCAL_ID } from '../../src/sessions/list/environment.js';
import type { Session } from '../../src/sessions/list/session.js';
import { WindowFolders } from '../../src/sessions/list/thisWindow.js';
import type { ListMembers } from '../../src/sessions/tree/index.js';
import { loadAgentTools } from '../../src/vscode/agents/lazyAgentTools.js';
import { loadMcp } from '../../src/vscode/agents/mcpServer.js';
import { wrapperFor } from '../../src/vscode/cli/wrapper.js';
import type { AskCommandLine, CommandPlace } from '../../src/vscode/commands/start/commandLinePrompt.js';
import type { Dialogs } from '../../src/vscode/dialogs.js';
import type { ConnectEnvironment, RemoveServer } from '../../src/vscode/environments/connectRemote.js';
import type { Secrets } from '../../src/vscode/environments/environmentTokens.js';
import { loadMachine, type MachineModule } from '../../src/vscode/machine/sessionServer.js';
import type { SightingNode } from '../../src/vscode/tree/nodes.js';
import { createServices, type Services } from '../../src/vscode/services.js';
import { windowFolders } from '../../src/vscode/thisMachine.js';
import { textOf } from '../support/bytes.js';
import { until } from '../support/until.js';

/** A message to the user, with its buttons. */
export interface Said {
  readonly kind: 'info' | 'warn' | 'error' | 'confirm';
  readonly message: string;
  readonly actions: readonly string[];
}

/** A user who answers only what the test has prepared. Each answer is used once, in order. */
export class FakeUser implements Dialogs {
  readonly said: Said[] = [];
  readonly asked: string[] = [];
  /** Buttons to press on messages; undefined closes one. */
  readonly buttons: (string | undefined)[] = [];
  readonly confirms: boolean[] = [];
  /** Buttons to press on questions with several. */
  readonly choices: (string | undefined)[] = [];
  readonly inputs: (string | undefined)[] = [];
  /** Labels of the items to pick. */
  readonly picks: (string | undefined)[] = [];
  /** Labels of the items to pick, where several can be. */
  readonly pickedMany: (readonly string[] | undefined)[] = [];
  /** Texts to type into lists that follow them, and the beginning of the row to pick; without one, Esc. */
  readonly typed: { readonly text: string; readonly pick?: string }[] = [];
  readonly files: (vscode.Uri | undefined)[] = [];
  readonly commandLines: ((HistoryEntry & CommandPlace) | undefined)[] = [];
  /** The options of each question for a command line. */
  readonly offered: {
    readonly initial: string | undefined;
    readonly history: readonly string[];
    readonly shell: string;
    readonly place: string | undefined;
    readonly cwd: string | undefined;
  }[] = [];

  info: Dialogs['info'] = (message, ...actions) => this.#say('info', message, actions);
  warn: Dialogs['warn'] = (message, ...actions) => this.#say('warn', message, actions);
  error: Dialogs['error'] = (message, ...actions) => this.#say('error', message, actions);

  confirm: Dialogs['confirm'] = (message, _, action) => {
    this.said.push({ kind: 'confirm', message, actions: [action] });
    return Promise.resolve(this.confirms.shift() ?? false);
  };

  choose: Dialogs['choose'] = (message, _, ...actions) => {
    this.said.push({ kind: 'confirm', message, actions });
    return Promise.resolve(this.choices.shift());
  };

  input: Dialogs['input'] = ({ title, value }) => {
    this.asked.push(`${title ?? ''}: ${value ?? ''}`);
    return Promise.resolve(this.inputs.shift());
  };

  pick: Dialogs['pick'] = (items, { title }) => {
    this.asked.push(`${title ?? ''}: ${items.map(({ label }) => label).join(', ')}`);
    const wanted = this.picks.shift();
    const picked = items.find(({ label }) => label === wanted);
    assert.ok(wanted === undefined || picked, `"${wanted}" is not offered: ${this.asked.at(-1)}`);
    return Promise.resolve(picked);
  };

  pickMany: Dialogs['pickMany'] = async (coming, { title }) => {
    const items = await coming;
    this.asked.push(`${title ?? ''}: ${items.map(({ label }) => label).join(', ')}`);
    const wanted = this.pickedMany.shift();
    return wanted && items.filter(({ label }) => wanted.includes(label));
  };

  live: Dialogs['live'] = ({ title, follow }) =>
    new Promise((resolve) => {
      const { text, pick } = this.typed.shift() ?? { text: '' };
      follow(text, (rows, { busy, note } = { busy: false, note: '' }) => {
        this.asked.push(
          `${title}${note && ` (${note})`}: ${rows.map((row) => [row.label, row.description].join(' ')).join(', ')}`,
        );
        const picked = rows.find(({ label }) => pick !== undefined && label.startsWith(pick));
        if (picked !== undefined || !busy) {
          assert.ok(pick === undefined || picked, `"${pick}" is not offered: ${this.asked.at(-1)}`);
          resolve(picked);
        }
      });
    });

  saveFile: Dialogs['saveFile'] = () => Promise.resolve(this.files.shift());

  askCommandLine: AskCommandLine = ({ history, initial, shell, place, cwd }) => {
    this.offered.push({ initial, history: history.map(({ text }) => text), shell, place, cwd });
    return Promise.resolve(this.commandLines.shift());
  };

  /** All messages so far, without the buttons. */
  get messages(): readonly string[] {
    return this.said.map(({ message }) => message);
  }

  /** The first message that matches; waits for one. */
  async hears(pattern: RegExp): Promise<Said> {
    await until(
      () => this.said,
      (seen) => seen.some(({ message }) => pattern.test(message)),
    );
    const said = this.said.find(({ message }) => pattern.test(message));
    assert.ok(said);
    return said;
  }

  #say(kind: Said['kind'], message: string, actions: readonly string[]): Promise<string | undefined> {
    this.said.push({ kind, message, actions });
    return Promise.resolve(this.buttons.shift());
  }
}

export class FakeMemento implements vscode.Memento {
  readonly #values = new Map<string, unknown>();

  keys = () => [...this.#values.keys()];
  get<T>(key: string, fallback?: T): T | undefined {
    return this.#values.has(key) ? (this.#values.get(key) as T) : fallback;
  }

  update = (key: string, value: unknown) => {
    this.#values.set(key, value);
    return Promise.resolve();
  };
}

class FakeSecrets implements Secrets {
  readonly values = new Map<string, string>();
  readonly #didChange = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();

  readonly onDidChange = this.#didChange.event;
  get = (key: string) => Promise.resolve(this.values.get(key));

  store = (key: string, value: string) => {
    this.values.set(key, value);
    this.#didChange.fire({ key });
    return Promise.resolve();
  };

  delete = (key: string) => {
    this.values.delete(key);
    this.#didChange.fire({ key });
    return Promise.resolve();
  };
}

let channel: vscode.LogOutputChannel | undefined;

/** One channel for all tests: VS Code mixes up channels of the same name that are created and disposed. */
function logChannel(): vscode.LogOutputChannel {
  return (channel ??= vscode.window.createOutputChannel('Exec Sessions Suite', { log: true }));
}

/** The extension's services with a user played by the test; the real commands and view are not used. */
export class Fixture {
  readonly user = new FakeUser();
  readonly services: Services;
  trusted = true;
  selection: readonly Session[] = [];
  selectedSighting: SightingNode | undefined;
  readonly secrets = new FakeSecrets();
  /** Connects to environments; a test that needs connections replaces it. */
  connect: ConnectEnvironment = () => Promise.reject(new Error('There is nothing to connect to.'));
  /** Lists the members of engines; a test that has some replaces it. */
  removeServer: RemoveServer = () => Promise.resolve({ kind: 'removed' });
  offered: readonly Member[] = [];
  listMembers: ListMembers = () => Promise.resolve({ members: [], leftOut: 0 });
  /** Loads the code that finds and starts session servers. A test that listens to the servers' messages replaces it. */
  loadMachine: () => Promise<MachineModule> = loadMachine;
  readonly globalMemento = new FakeMemento();
  readonly storage = path.join(tmpdir(), `es-storage-${process.pid}`);
  readonly memento: FakeMemento;
  readonly folders: WindowFolders;

  /**
   * @param memento The memory of the window before.
   * @param folder The folder that is open in it; the real one otherwise.
   */
  constructor(memento = new FakeMemento(), folder?: string) {
    this.memento = memento;
    this.folders = folder === undefined ? windowFolders() : new WindowFolders(() => [folder], never);
    const display = (() => this)();
    this.services = createServices({
      extensionPath: extension().extensionPath,
      version: '1.2.3',
      memento: this.memento,
      globalMemento: this.globalMemento,
      log: logChannel(),
      dialogs: this.user,
      askCommandLine: this.user.askCommandLine,
      secrets: this.secrets,
      isTrusted: () => this.trusted,
      connect: (options) => this.connect(options),
      removeServer: (...args) => this.removeServer(...args),
      offerMembers: () => Promise.resolve(this.offered),
      listMembers: (engine, signal) => this.listMembers(engine, signal),
      loadTools: loadAgentTools,
      loadMcp,
      loadMachine: () => this.loadMachine(),
      cliWrapper: wrapperFor(this.storage, extension().extensionPath),
      storage: this.storage,
      folders: this.folders,
      showTree: () => ({
        get selection() {
          return display.selection;
        },
        get selectedSighting() {
          return display.selectedSighting;
        },
        forKey: () => Promise.resolve(display.selection),
        causedByKey: () => false,
        reveal: () => Promise.resolve(),
        dispose: () => undefined,
      }),
    });
  }

  get list() {
    return this.services.list;
  }

  get commands() {
    return this.services.commands;
  }

  /** Starts a command of bash, by default with pipes. */
  async start(
    commandLine: string,
    options: Pick<StartOptions, 'tty' | 'pipeStdin' | 'sandbox'> = {},
  ): Promise<Session> {
    const id = await this.commands['execSessions.newSession']({
      argv: ['bash', '--norc', '--noprofile', '-c', commandLine],
      title: commandLine,
      tty: false,
      show: false,
      ...options,
    });
    const session = this.list.get(id ?? '');
    assert.ok(session);
    return session;
  }

  /** Starts a command and waits until its session is closed. */
  async run(commandLine: string, options: Pick<StartOptions, 'tty' | 'sandbox'> = {}): Promise<Session> {
    const session = await this.start(commandLine, options);
    await until(() => session.state, 'closed');
    return session;
  }

  /** Ends the sessions, also those that would outlive the window, and closes the window. */
  async dispose(): Promise<void> {
    await Promise.all(this.list.sessions.map(endForGood));
    await this.leave();
  }

  /** Closes the window. Sessions in the session server go on. */
  async leave(): Promise<void> {
    await this.services.shutdown();
    this.services.dispose();
    await closeTerminals();
  }
}

/** Nothing of it is left for the next window to find. */
async function endForGood(session: Session): Promise<void> {
  await until(() => session.state !== 'starting');
  if (session.state !== 'lost' && session.environment.id === LOCAL_ID) {
    await session.process.terminate();
    await until(() => session.ended);
    await session.environment.backend.remove(session.processId);
  }
}

export function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension('exec-sessions.exec-sessions');
  assert.ok(found);
  return found;
}

export async function outputOf(session: Session): Promise<string> {
  return textOf((await session.process.read()).chunks);
}

export async function untilOutput(session: Session, wanted: string): Promise<void> {
  await until(
    () => outputOf(session),
    (seen) => seen.includes(wanted),
  );
}

export async function closeTerminals(): Promise<void> {
  await until(() => {
    // Also those that VS Code opens only now.
    vscode.window.terminals.forEach((terminal) => terminal.dispose());
    return vscode.window.terminals.length === 0;
  });
}

/** The backend for the sessions of this machine that the run has chosen, see test/rig/base.ts. */
export const chosenBackend = vscode.workspace.getConfiguration('execSessions').get<string>('local.backend');

/** Changes a user setting for one test. */
export async function setSetting(key: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration('execSessions')
    .update(key, value, vscode.ConfigurationTarget.Global);
}
