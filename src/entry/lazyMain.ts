import * as vscode from 'vscode';

import type { Main } from '../vscode/main.js';
import type { ExecSessionsApi } from '../api/exec-sessions.js';

/**
 * The rest of the extension. It is loaded at its first use: few windows ever use it, and the others need not wait for
 * its code.
 */
export class LazyMain implements vscode.Disposable {
  readonly #start: (log: vscode.LogOutputChannel) => Main;
  readonly #didLoad = new vscode.EventEmitter<Main>();
  #log: vscode.LogOutputChannel | undefined;
  #main: Main | undefined;
  #failure: Error | undefined;
  #closing = false;

  /** @param start Loads and starts it. Called once: a failed start may have left parts running. */
  constructor(start: (log: vscode.LogOutputChannel) => Main) {
    this.#start = start;
  }

  readonly onDidLoad = this.#didLoad.event;

  /** The rest, if it has been loaded. */
  get loaded(): Main | undefined {
    return this.#main;
  }

  /**
   * Loads it unless it has been loaded.
   *
   * @throws Error if it cannot be loaded or started; a message has told people.
   */
  load(): Main {
    if (this.#main === undefined) {
      if (this.#closing) {
        throw new Error(vscode.l10n.t('VS Code is closing.'));
      }
      this.#main = this.#startOrTell();
      this.#didLoad.fire(this.#main);
    }
    return this.#main;
  }

  /** Loads it for a use that no person waits for. */
  loadUnasked(): void {
    try {
      this.load();
    } catch {
      // A message has told people.
    }
  }

  /** Ends everything that this window runs. From now on nothing is loaded any more. */
  async shutdown(): Promise<void> {
    this.#closing = true;
    await this.#main?.shutdown();
  }

  logError(line: string): void {
    this.#channel().error(line);
  }

  /** The log comes last: the others write into it until they have ended. */
  dispose(): void {
    this.#closing = true;
    this.#main?.dispose();
    this.#didLoad.dispose();
    this.#log?.dispose();
  }

  #startOrTell(): Main {
    const log = this.#channel();
    if (this.#failure === undefined) {
      try {
        return this.#start(log);
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        const reason = error instanceof Error ? error.message : String(error);
        this.#failure = new Error(
          vscode.l10n.t('Exec Sessions could not start: {0}. Reload the window to try again.', reason),
          { cause: error },
        );
      }
    }
    tell(this.#failure.message, log);
    throw this.#failure;
  }

  #channel(): vscode.LogOutputChannel {
    return (this.#log ??= vscode.window.createOutputChannel('Exec Sessions', { log: true }));
  }
}

function tell(message: string, log: vscode.LogOutputChannel): void {
  const showLog = vscode.l10n.t('Show Log');
  void vscode.window.showErrorMessage(message, showLog).then((chosen) => {
    if (chosen === showLog) {
      log.show();
    }
  });
}

/** The public API. The rest is loaded at the first use of any member except the version. */
export function lazyApi(main: LazyMain): ExecSessionsApi {
  const api = () => main.load().api;
  return Object.freeze<ExecSessionsApi>({
    version: 1,
    start: async (options) => api().start(options),
    environments: () => api().environments(),
    list: () => api().list(),
    get: (id) => api().get(id),
    onDidStart: (...args) => api().onDidStart(...args),
    onDidChange: (...args) => api().onDidChange(...args),
    onDidExit: (...args) => api().onDidExit(...args),
    onDidEnd: (...args) => api().onDidEnd(...args),
    onDidRemove: (...args) => api().onDidRemove(...args),
  });
}
