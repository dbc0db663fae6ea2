import * as vscode from 'vscode';

import { Alarm, type Clock, type Disposable, DisposableStore } from '../../core/index.js';
import type { Session, SessionEvents } from '../../sessions/list/index.js';
import { nameInMessage } from '../../sessions/words/index.js';
import { OTHERS_MS } from '../agents/callsFromElsewhere.js';
import { callActions } from '../agents/personCalls.js';
import { SESSIONS_VIEW } from '../ids.js';
import type { Messages } from '../messages.js';

/** The time from a question to its message, in milliseconds. All questions of that time share one message. */
const GATHER_MS = 3_000;

/**
 * Calls people to questions that they do not see, once to each. The same words of a session count as one question until
 * somebody has answered it in its terminal: a program may ask again and again.
 */
export function tellOfQuestions(options: {
  readonly events: SessionEvents;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'call'>;
  /** Whether it is one of this window's sessions. Questions of the others are left to other windows for a while. */
  readonly isOwn: (session: Session) => boolean;
  readonly isVisible: (session: Session) => boolean;
  readonly show: (session: Session) => void;
}): Disposable {
  const { events, clock, messages, isOwn, isVisible, show } = options;
  const store = new DisposableStore();
  const alarm = store.add(new Alarm(clock));
  /** The sessions whose question was not told yet, and when that is due. */
  const untold = new Map<Session, number>();
  const told = new WeakMap<Session, string>();
  const tellLater = () => {
    const next = Math.min(...untold.values());
    if (next < Infinity) alarm.set(Math.max(0, next - clock.now()), tell);
  };
  const tell = () => {
    const soon = clock.now() + GATHER_MS;
    const due = [...untold].filter(([, at]) => at <= soon).map(([session]) => session);
    for (const session of due) {
      untold.delete(session);
      told.set(session, session.asks?.question ?? '');
    }
    const unseen = due.filter((session) => !isVisible(session));
    call(unseen, messages, show);
    tellLater();
  };
  const look = (session: Session) => {
    if (session.asks === undefined) {
      untold.delete(session);
      if (told.has(session) && isVisible(session)) told.delete(session);
    } else if (told.get(session) !== session.asks.question && !untold.has(session)) {
      untold.set(session, clock.now() + (isOwn(session) ? GATHER_MS : OTHERS_MS));
      tellLater();
    }
  };
  store.add(events.onDidChange(look));
  store.add(events.onDidRemove((session) => untold.delete(session)));
  return store;
}

/** The message leads to the terminal of a session, or to the view if there are several. */
function call(
  sessions: readonly Session[],
  messages: Pick<Messages, 'call'>,
  show: (session: Session) => void,
): void {
  const count = sessions.length;
  const last = sessions.at(-1);
  const question = last?.asks?.question;
  if (last === undefined || question === undefined) return;
  const name = nameInMessage(last.label);
  if (count === 1) {
    const actions = callActions(last, show, () => last.asks?.question !== question);
    messages.call(vscode.l10n.t('"{0}" asks: {1}', name, question), actions);
  } else {
    const text = vscode.l10n.t(
      '{0} sessions ask something. The last one: "{1}" asks: {2}',
      count,
      name,
      question,
    );
    const run = () => vscode.commands.executeCommand(`${SESSIONS_VIEW}.focus`);
    messages.call(text, [{ title: vscode.l10n.t('Show'), run }]);
  }
}
