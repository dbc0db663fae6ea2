import type * as vscode from 'vscode';

import {
  type Disposable,
  DisposableStore,
  english,
  maskSecrets,
  oneLine,
  plainJson,
  shorten,
} from '../core/index.js';
import { failureText, signalOf, survivorNames, visible } from '../sessions/words/index.js';
import type { Session, SessionEvents } from '../sessions/list/index.js';

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

/** The most characters of a command, a directory or a name in one line. */
const LENGTH = 300;

/**
 * Writes the events of sessions into the log. Variables are never written, since they hold secrets. Evident secrets in
 * command lines are masked. Text from servers is put on one line, so that no server can forge lines of the log.
 */
export function logSessions(events: SessionEvents, log: vscode.LogOutputChannel): Disposable {
  const store = new DisposableStore();
  store.add(
    events.onDidStart((session) => {
      const { pid, cwd, origin, tty, environment } = session.snapshot();
      const by = shorten(oneLine(origin.name ?? origin.kind), LENGTH);
      const command = plainJson(shorten(maskSecrets(session.commandLine), LENGTH));
      const place = shorten(oneLine(maskSecrets(cwd)), LENGTH);
      log.info(
        `${logMark(session)} ${session.adopted ? 'found' : 'started'}: ${command} in ${place} of ${environment.id}, ` +
          `pid ${pid ?? 'unknown'}, ${tty ? 'terminal' : 'pipes'}, by ${by}`,
      );
    }),
  );
  store.add(
    events.onDidExit((session) => {
      const snapshot = session.snapshot();
      log.info(`${logMark(session)} exited: ${signalOf(snapshot) ?? snapshot.exit?.exitCode ?? 'unknown'}`);
    }),
  );
  store.add(
    events.onDidEnd((session) => {
      const { state, failure, output } = session.snapshot();
      if (state === 'lost') {
        log.error(`${logMark(session)} lost: ${failureText(failure, english)}`);
      } else {
        log.info(
          `${logMark(session)} closed after ${output.bytes} bytes of output, ${output.evicted.bytes} not kept, ` +
            `${output.missing.chunks} pieces never arrived`,
        );
      }
    }),
  );
  store.add(events.onDidRemove((session) => log.info(`${logMark(session)} removed from the list`)));
  return store;
}

/** Writes the leftover processes of an ended session into the log. */
export function logSurvivors(session: Session, log: vscode.LogOutputChannel): void {
  log.warn(`${logMark(session)} has left running: ${survivorNames(session.survivors, english)}`);
}

/** Enough of the session's id to find its other lines in the log. */
export function logMark({ id }: Pick<Session, 'id'>): string {
  return `[${id.slice(0, 8)}]`;
}
