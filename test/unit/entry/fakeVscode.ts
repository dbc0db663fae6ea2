import type * as vscode from 'vscode';

import type { McpServerDefinitionProvider } from '../../../src/entry/mcpDefinitions.js';
import { Emitter, english } from '../../../src/core/index.js';

type Call = (...args: readonly unknown[]) => unknown;

/** A task that VS Code would run. */
interface FakeTask {
  readonly name: string;
  readonly execution: { readonly run: Call };
}

/** The parts of `vscode` that the entry uses. It notes all registrations. */
export class FakeVscode {
  readonly commands = new Map<string, Call>();
  readonly tools = new Map<string, Readonly<Record<'prepareInvocation' | 'invoke', Call>>>();
  readonly documents = new Map<string, Readonly<Record<'provideTextDocumentContent', Call>>>();
  readonly profiles = new Map<string, Loose<vscode.TerminalProfileProvider>>();
  readonly tasks = new Map<string, { resolveTask(task: object): FakeTask }>();
  readonly servers = new Map<string, Loose<McpServerDefinitionProvider>>();
  readonly channels: string[] = [];
  readonly errors: string[] = [];
  /** The errors that were written into the log. */
  readonly logged: string[] = [];
  readonly settings = new Map<string, unknown>();
  trusted = true;
  view: string | undefined;
  rows: vscode.TreeDataProvider<unknown> | undefined;
  readonly #didChange = new Emitter<{ affectsConfiguration(section: string): boolean }>();
  readonly #didTrust = new Emitter<void>();

  /** Changes a setting of this section. */
  change(section: string): void {
    this.#didChange.fire({ affectsConfiguration: (asked) => asked === section });
  }

  trust(): void {
    this.#didTrust.fire();
  }

  /** The module that the entry gets. */
  get module(): object {
    const register =
      <T>(map: Map<string, T>) =>
      (name: string, item: T) => {
        map.set(name, item);
        return { dispose: () => map.delete(name) };
      };
    const isTrusted = () => this.trusted;
    return {
      version: '1.101.0',
      l10n: english,
      EventEmitter: class<T> extends Emitter<T> {},
      Disposable: {
        from: (...items: readonly { dispose(): unknown }[]) => ({
          dispose: () => items.forEach((item) => item.dispose()),
        }),
      },
      Uri: { parse: (text: string) => text },
      McpStdioServerDefinition: class {
        cwd: unknown;
      },
      CustomExecution: class {
        readonly run: Call;

        constructor(run: Call) {
          this.run = run;
        }
      },
      Task: class {
        readonly name: string;
        readonly execution: unknown;

        constructor(...[, , name, , execution]: [object, unknown, string, string, unknown]) {
          this.name = name;
          this.execution = execution;
        }
      },
      TaskScope: { Workspace: 2 },
      commands: { registerCommand: register(this.commands) },
      tasks: { registerTaskProvider: register(this.tasks) },
      lm: {
        registerTool: register(this.tools),
        registerMcpServerDefinitionProvider: register(this.servers),
      },
      window: {
        registerTerminalProfileProvider: register(this.profiles),
        createTreeView: (id: string, options: { treeDataProvider: vscode.TreeDataProvider<unknown> }) => {
          this.view = id;
          this.rows = options.treeDataProvider;
          return { dispose: () => undefined };
        },
        createOutputChannel: (name: string) => {
          this.channels.push(name);
          return { error: (line: unknown) => this.logged.push(String(line)), dispose: () => undefined };
        },
        showErrorMessage: (text: string) => {
          this.errors.push(text);
          return Promise.resolve();
        },
      },
      workspace: {
        get isTrusted() {
          return isTrusted();
        },
        getConfiguration: (section: string) => ({
          get: (key: string) => this.settings.get(`${section}.${key}`),
        }),
        registerTextDocumentContentProvider: register(this.documents),
        onDidChangeConfiguration: this.#didChange.event,
        onDidGrantWorkspaceTrust: this.#didTrust.event,
      },
    };
  }
}

/** The same functions, for any arguments. */
type Loose<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: never[]) => infer R
    ? (...args: readonly unknown[]) => R
    : T[Name];
};
