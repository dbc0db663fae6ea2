import type * as vscode from 'vscode';

import { maskSecrets } from '../core/index.js';
import { visible } from '../sessions/words/index.js';

/**
 * The same log with evident secrets masked. Secrets come from command lines of sessions, leftover processes,
 * environments and messages. Text after a line break, as in the stack of an error, is indented, so that it cannot look
 * like a line of the log.
 *
 * @param problems Gets the warnings and errors as well.
 */
export function maskedLog(log: vscode.LogOutputChannel, problems: RecentProblems): vscode.LogOutputChannel {
  const line =
    (write: (text: string) => void) =>
    (text: string): void =>
      write(oneEntry(text));
  return {
    name: log.name,
    get logLevel() {
      return log.logLevel;
    },
    onDidChangeLogLevel: log.onDidChangeLogLevel,
    append: line((text) => log.append(text)),
    appendLine: line((text) => log.appendLine(text)),
    replace: line((text) => log.replace(text)),
    trace: line((text) => log.trace(text)),
    debug: line((text) => log.debug(text)),
    info: line((text) => log.info(text)),
    warn: line((text) => {
      problems.add('warning', text);
      log.warn(text);
    }),
    error: (error) => {
      const text = oneEntry(error instanceof Error ? (error.stack ?? error.message) : error);
      problems.add('error', text);
      log.error(text);
    },
    clear: () => log.clear(),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- One of its two forms is, and has the same name.
    show: (preserveFocus) => log.show(preserveFocus === true),
    hide: () => log.hide(),
    dispose: () => log.dispose(),
  };
}

function oneEntry(text: string): string {
  return visible(maskSecrets(text)).replaceAll(/\n\s*/g, '\n    ');
}

/** A line of the log about a problem. */
export interface Problem {
  readonly at: Date;
  readonly level: 'warning' | 'error';
  readonly text: string;
}

const MOST_PROBLEMS = 20;

/** The last warnings and errors of the log, which itself cannot be read. */
export class RecentProblems {
  readonly #problems: Problem[] = [];

  /** Oldest first. */
  get all(): readonly Problem[] {
    return this.#problems;
  }

  add(level: Problem['level'], text: string): void {
    this.#problems.push({ at: new Date(), level, text });
    if (this.#problems.length > MOST_PROBLEMS) {
      this.#problems.shift();
    }
  }
}
