import * as vscode from 'vscode';

import type { Clock, StopReport, StopStep, Survivor } from '../core/index.js';
import type { Session } from '../sessions/list/index.js';
import { nameInMessage, stopText, survivorName } from '../sessions/words/index.js';
import { CommandId } from './commands/commandIds.js';
import type { MessageAction, Messages } from './messages.js';
import { withPatience } from './patience.js';
import type { SettingsReader } from './settingsReader.js';
import { SESSIONS_VIEW } from './ids.js';

/** Stops and kills sessions, and reports the outcome. */
export class Stopper {
  readonly #settings: SettingsReader;
  readonly #messages: Messages;
  readonly #clock: Clock;

  constructor(options: { settings: SettingsReader; messages: Messages; clock: Clock }) {
    this.#settings = options.settings;
    this.#messages = options.messages;
    this.#clock = options.clock;
  }

  /** Runs the whole ladder, with the graces of the settings where `graces` has none. */
  async stop(
    session: Session,
    signal?: AbortSignal,
    graces?: Partial<Record<StopStep, number>>,
  ): Promise<StopReport> {
    const graceMs: Record<StopStep, number> = {
      interrupt: this.#settings.get('interruptMs'),
      hangup: this.#settings.get('hangupMs'),
      terminate: this.#settings.get('terminateMs'),
      kill: this.#settings.get('killMs'),
      ...graces,
    };
    return stopSession(session, { graceMs, signal });
  }

  /** Runs only the last step of the ladder. */
  async kill(session: Session): Promise<StopReport> {
    const graceMs = { interrupt: 0, hangup: 0, terminate: 0, kill: this.#settings.get('killMs') };
    return stopSession(session, { graceMs });
  }

  /**
   * Stops the sessions side by side, shows the progress, and reports the outcome.
   *
   * @returns the sessions without any process left.
   */
  async stopVisibly(sessions: readonly Session[]): Promise<readonly Session[]> {
    const cancel = new AbortController();
    const work = Promise.allSettled(
      sessions.map((session) => asPerson(session, () => this.stop(session, cancel.signal))),
    );
    const results = await withPatience(work, { title: stoppingText(sessions), cancel, clock: this.#clock });
    return this.#report(sessions, results, { asked: 'stop', cancelled: cancel.signal.aborted });
  }

  async killVisibly(sessions: readonly Session[]): Promise<void> {
    const work = Promise.allSettled(sessions.map((session) => asPerson(session, () => this.kill(session))));
    void vscode.window.withProgress({ location: { viewId: SESSIONS_VIEW } }, () => work);
    this.#report(sessions, await work, { asked: 'kill', cancelled: false });
  }

  /** Ends one leftover process of a session, and reports the outcome. */
  async endLeftover(session: Session, survivor: Survivor): Promise<void> {
    const graceMs = { terminate: this.#settings.get('terminateMs'), kill: this.#settings.get('killMs') };
    const work = session.endSurvivor(survivor, { graceMs });
    void vscode.window.withProgress({ location: { viewId: SESSIONS_VIEW } }, () =>
      work.catch(() => undefined),
    );
    const name = survivorName(survivor, vscode.l10n);
    const { running, exited } = await work;
    if (!exited) {
      this.#messages.warn(vscode.l10n.t('{0} was killed, but still runs.', name));
    } else {
      this.#messages.did(
        running ? vscode.l10n.t('Ended {0}.', name) : vscode.l10n.t('{0} had ended already.', name),
      );
    }
  }

  /**
   * Shows one message for all successes, and a warning for each session that has processes left.
   *
   * @returns the sessions without any process left.
   */
  #report(
    sessions: readonly Session[],
    results: readonly PromiseSettledResult<StopReport>[],
    how: { readonly asked: 'stop' | 'kill'; readonly cancelled: boolean },
  ): readonly Session[] {
    const gone: Session[] = [];
    const done: string[] = [];
    for (const [index, session] of sessions.entries()) {
      const result = results[index];
      if (result === undefined) {
        continue;
      }
      if (result.status === 'rejected') {
        this.#messages.failed(result.reason);
        continue;
      }
      const { kind, text } = stopText(session.label, result.value, {
        ...how,
        exit: session.snapshot().exit,
        blind: session.lacks.includes('stop'),
        l10n: vscode.l10n,
      });
      if (kind === 'done') {
        gone.push(session);
        done.push(text);
      } else {
        const left = result.value.survivors.length > 0 && session.ended;
        this.#messages.warn(text, left ? [endLeftoverOf(session)] : []);
      }
    }
    if (done.length === 1) {
      this.#messages.did(done[0] ?? '');
    } else if (done.length > 1) {
      this.#messages.did(
        how.asked === 'kill'
          ? vscode.l10n.t('Killed {0} sessions.', done.length)
          : vscode.l10n.t('Stopped {0} sessions.', done.length),
      );
    }
    return gone;
  }
}

/** Offers to end one of a session's leftover processes. */
export function endLeftoverOf(session: Session): MessageAction {
  return {
    title: vscode.l10n.t('End…'),
    run: () => vscode.commands.executeCommand(CommandId.endLeftover, session.id),
  };
}

/**
 * Stores with a session that outlives this window that a person has ended it. Takes that back if the session goes on.
 */
async function asPerson(session: Session, stop: () => Promise<StopReport>): Promise<StopReport> {
  if (!session.owned || session.ended) {
    return stop();
  }
  session.record.endedBy = { kind: 'person' };
  let exited = false;
  try {
    const report = await stop();
    exited = report.exited;
    return report;
  } finally {
    if (!exited) {
      session.record.endedBy = undefined;
    }
  }
}

/** Stops a session. One that is still starting has no process yet; its backend cancels the start. */
function stopSession(
  session: Session,
  options: Parameters<Session['stop']>[0] & object,
): Promise<StopReport> {
  return session.state === 'starting'
    ? session.environment.backend.stop(session.id, options)
    : session.stop(options);
}

function stoppingText(sessions: readonly Session[]): string {
  return sessions.length === 1
    ? vscode.l10n.t('Stopping "{0}"…', nameInMessage(sessions[0]?.label ?? ''))
    : vscode.l10n.t('Stopping {0} sessions…', sessions.length);
}
