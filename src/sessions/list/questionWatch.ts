import {
  Alarm,
  type Clock,
  type Disposable,
  DisposableStore,
  INPUT_LOOKS_MS,
  oneLine,
  QUESTION_LENGTH,
} from '../../core/index.js';
import type { Session } from './session.js';
import type { SessionList } from './sessionList.js';

/**
 * Looks whether silent sessions ask something: three times soon after their last output, then less and less often. A
 * window may have hundreds, and a program that begins to ask says so.
 */
export function watchQuestions(list: Pick<SessionList, 'onDidChange'>, clock: Clock): Disposable {
  const store = new DisposableStore();
  const watched = new Map<Session, Disposable>();
  store.add({ dispose: () => watched.forEach((one) => one.dispose()) });
  store.add(
    list.onDidChange(({ type, session }) => {
      if (type === 'removed' || !canAsk(session)) {
        watched.get(session)?.dispose();
        watched.delete(session);
      } else if (!watched.has(session)) {
        watched.set(session, watch(session, clock));
      }
    }),
  );
  return store;
}

/** Questions are in terminals only, and not every backend can tell. */
function canAsk({ state, request, environment }: Session): boolean {
  return state === 'running' && request.tty && environment.backend.capabilities.inputWait;
}

function watch(session: Session, clock: Clock): Disposable {
  const alarm = new Alarm(clock);
  const [first, second, third, later] = INPUT_LOOKS_MS;
  let silentSince = clock.now();
  let looks = 0;
  let pending = false;
  let over = false;
  const lookLater = () => {
    const sinceOutput = [first, second, third][looks];
    const silentMs = clock.now() - silentSince;
    const delayMs = sinceOutput === undefined ? Math.max(later, silentMs / 4) : sinceOutput - silentMs;
    if (!pending && !over) alarm.set(Math.max(0, delayMs), look);
  };
  const look = async () => {
    const since = silentSince;
    if (clock.now() - since >= first) {
      looks += 1;
      pending = true;
      const wait = await session.process.inputWait().catch(() => undefined);
      pending = false;
      // Output that has come meanwhile makes the answer void.
      if (since === silentSince) {
        session.setQuestion(wait?.question && oneLine(wait.question, QUESTION_LENGTH));
      }
    }
    lookLater();
  };
  const wake = session.process.onWake(() => {
    silentSince = clock.now();
    session.setQuestion(undefined);
    // A chatty program sets no timer for each piece of output: the first look finds out that it comes too early.
    if (looks > 0) {
      looks = 0;
      lookLater();
    }
  });
  lookLater();
  return {
    dispose: () => {
      wake.dispose();
      alarm.dispose();
      over = true;
    },
  };
}
