import type * as vscode from 'vscode';

import { type Disposable, DisposableStore, english, maskSecrets, oneLine, shorten } from '../core/index.js';
import type { Session, SessionEvents } from '../sessions/list/index.js';
import { failureText, quoted, signalOf, survivorNames } from '../sessions/words/index.js';

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
      const command = quoted(maskSecrets(shorten(session.commandLine, LENGTH)));
      log.info(
        `${mark(session)} started: ${command} in ${shorten(oneLine(cwd), LENGTH)} of ${environment.id}, ` +
          `pid ${pid ?? 'unknown'}, ${tty ? 'terminal' : 'pipes'}, by ${by}`,
      );
    }),
  );
  store.add(
    events.onDidExit((session) => {
      const snapshot = session.snapshot();
      log.info(`${mark(session)} exited: ${signalOf(snapshot) ?? snapshot.exit?.exitCode ?? 'unknown'}`);
    }),
  );
  store.add(
    events.onDidEnd((session) => {
      const { state, failure, output } = session.snapshot();
      if (state === 'lost') {
        log.error(`${mark(session)} lost: ${failureText(failure, english)}`);
      } else {
        log.info(
          `${mark(session)} closed after ${output.bytes} bytes of output, ${output.evicted.bytes} not kept, ` +
            `${output.missing.chunks} pieces never arrived`,
        );
      }
    }),
  );
  store.add(events.onDidRemove((session) => log.info(`${mark(session)} removed from the list`)));
  return store;
}

/** Writes the leftover processes of an ended session into the log. */
export function logSurvivors(session: Session, log: vscode.LogOutputChannel): void {
  log.warn(`${mark(session)} has left running: ${survivorNames(session.survivors, english)}`);
}

/** Enough of the session's id to find its other lines in the log. */
function mark(session: Session): string {
  return `[${session.id.slice(0, 8)}]`;
}
