import {
  type Disposable,
  type GapEvent,
  type Localizer,
  nothingToDispose,
  oneLine,
} from '../../core/index.js';
import { byteText, failureText, formatDuration, originText, signalOf } from '../words/index.js';
import { secondsLeft, type Session, type SessionSnapshot } from '../list/index.js';

/**
 * A line of our own in a terminal, in grey to set it apart from the program's output. It begins on a new line and ends
 * with a line break. It is not faint, since terminals ensure only half of their minimum contrast for faint text
 * (https://github.com/xtermjs/xterm.js/blob/5.5.0/src/browser/renderer/dom/DomRendererRowFactory.ts).
 */
export function noticeLine(text: string): string {
  return `\r\n\u001b[90m${oneLine(text)}\u001b[0m\r\n`;
}

/** Says how a session ended, and which keys its terminal takes now. */
export function endNotice(session: SessionSnapshot, l10n: Localizer): string {
  return `${endText(session, l10n)}; ${l10n.t('press R to run again, Enter to close')}`;
}

/** Says how a session ended. */
export function endText(session: SessionSnapshot, l10n: Localizer): string {
  const lost = session.state === 'lost' ? failureText(session.failure, l10n) : undefined;
  if (lost !== undefined && session.exit === undefined) {
    return l10n.t('lost: {0}', lost);
  }
  const duration = formatDuration((session.exitedAt ?? session.startedAt) - session.startedAt, l10n);
  const signal = signalOf(session);
  if (lost !== undefined) {
    return signal === undefined
      ? l10n.t(
          'exited with code {0} after {1}, but the rest of its output was lost: {2}',
          session.exit?.exitCode ?? 0,
          duration,
          lost,
        )
      : l10n.t('ended by {0} after {1}, but the rest of its output was lost: {2}', signal, duration, lost);
  }
  return signal === undefined
    ? l10n.t('exited with code {0} after {1}', session.exit?.exitCode ?? 0, duration)
    : l10n.t('ended by {0} after {1}', signal, duration);
}

/** Says that the process has ended, but its output has not. */
export function openNotice(session: SessionSnapshot, l10n: Localizer): string {
  const signal = signalOf(session);
  return signal === undefined
    ? l10n.t(
        'exited with code {0}; its output is still open (something it started still runs)',
        session.exit?.exitCode ?? 0,
      )
    : l10n.t('ended by {0}; its output is still open (something it started still runs)', signal);
}

/** Says that output is missing at this place. */
export function gapNotice(gap: GapEvent, l10n: Localizer): string {
  if (gap.bytes === undefined) {
    return gap.fromSeq === 1
      ? l10n.t('… older output is no longer kept …')
      : l10n.t('… some output is missing here …');
  }
  const size = byteText(gap.bytes, l10n);
  return gap.fromSeq === 1
    ? l10n.t('… {0} of older output is no longer kept …', size)
    : l10n.t('… {0} of output is missing here: more came than could be kept for it …', size);
}

/** Says in the terminal of an agent's session each time that its controller changes. */
export function tellOfControl(session: Session, say: (text: string) => void, l10n: Localizer): Disposable {
  const agent = originText(session.request.origin, l10n);
  return (
    session.control?.onDidChangeController((controller) =>
      say(
        controller === 'person'
          ? l10n.t('you control this session now: what you type is sent, and {0} is told', agent)
          : l10n.t('{0} controls this session again: what you type is not sent', agent),
      ),
    ) ?? nothingToDispose
  );
}

/** Says in a terminal that the machine of its session cannot be reached, and later that it can be reached again. */
export class ConnectionNotices implements Disposable {
  readonly #session: Session;
  readonly #say: (text: string) => void;
  readonly #l10n: Localizer;
  readonly #subscription: Disposable;
  #recovering = false;

  constructor(options: {
    session: Session;
    say: (text: string) => void;
    l10n: Localizer;
    now: () => number;
  }) {
    this.#session = options.session;
    this.#say = options.say;
    this.#l10n = options.l10n;
    this.#subscription = options.session.environment.backend.onDidChangeConnection(() =>
      this.#look(options.now()),
    );
    this.#look(options.now());
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #look(now: number): void {
    const { state, recovering, environment } = this.#session.snapshot();
    // The player of the session's output says how it ended, lost or not.
    if (state === 'closed' || state === 'lost' || this.#recovering === (recovering !== undefined)) {
      return;
    }
    this.#recovering = recovering !== undefined;
    this.#say(
      recovering === undefined
        ? this.#l10n.t('connection to {0} is back', environment.label)
        : this.#l10n.t(
            'connection to {0} lost, trying for {1} s more; what you type waits',
            environment.label,
            secondsLeft(recovering.until, now),
          ),
    );
  }
}
