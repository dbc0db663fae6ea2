import type { Localizer } from '../../core/index.js';
import { byteText, originText, sessionErrorText } from '../words/index.js';
import {
  EmulatorAnswers,
  INPUT_LIMIT_BYTES,
  InputQueue,
  isInterrupt,
  LineInput,
} from '../../terminal/index.js';
import type { Session } from '../list/index.js';

/** Shows, in the terminal, the echo of its input and notices about it. */
interface InputListener {
  echo(text: string): void;
  notice(text: string): void;
}

/** The time until the terminal says again that typing is not possible here, in milliseconds. */
const REFUSED_AGAIN_MS = 60_000;

/**
 * The input of a session's terminal, on its way to the process. While an agent controls the session, nothing is sent
 * but the emulator's answers to the program.
 */
export class SessionInput {
  readonly #session: Session;
  readonly #listener: InputListener;
  readonly #l10n: Localizer;
  readonly #queue: InputQueue;
  readonly #lines: LineInput | undefined;
  readonly #answers: EmulatorAnswers;
  readonly #now: () => number;
  /** The last notice, which is not repeated for every key. */
  #said = '';
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(options: {
    session: Session;
    listener: InputListener;
    l10n: Localizer;
    now: () => number;
    /** The count that {@link EmulatorAnswers} needs. */
    cursorQueries: () => number;
  }) {
    const { session, listener, l10n } = options;
    this.#session = session;
    this.#listener = listener;
    this.#l10n = l10n;
    this.#now = options.now;
    this.#answers = new EmulatorAnswers(options.cursorQueries);
    this.#queue = new InputQueue(session.process, (status) => this.#say(this.#reason(status)));
    this.#lines = session.request.tty
      ? undefined
      : new LineInput({
          echo: (text) => {
            if (this.#session.request.pipeStdin === true) {
              listener.echo(text);
            }
          },
          line: (text) => this.#line(text),
          endOfInput: () => this.#attempt(session.closeInput(), l10n.t('standard input was closed')),
          interrupt: () => this.#attempt(session.signalAsPerson('SIGINT')),
          lineFull: () => {
            const limit = byteText(INPUT_LIMIT_BYTES, l10n);
            this.#say(l10n.t('this line has reached the limit, {0}: the rest was not taken', limit));
          },
        });
  }

  type(input: string): void {
    const { answers, typed } = this.#answers.split(input);
    if (!this.#session.controlledByAgent) {
      if (typed && this.#lines === undefined) {
        this.#session.control?.personTypes(input);
      }
      this.#take(input);
      return;
    }
    if (answers !== '' && this.#lines === undefined) {
      this.#send(answers);
    }
    if (typed) {
      this.#refuse();
    }
  }

  #take(input: string): void {
    if (this.#lines === undefined) {
      if (isInterrupt(input)) {
        this.#session.notePersonsSignal('SIGINT');
      }
      this.#send(input);
    } else {
      this.#lines.type(input);
    }
  }

  #refuse(): void {
    const now = this.#now();
    if (now - this.#refusedAt >= REFUSED_AGAIN_MS) {
      this.#refusedAt = now;
      this.#listener.notice(
        this.#l10n.t(
          '{0} controls this session: what you type is not sent. Choose Take Control in the menu of this terminal, or in the Command Palette, to type here',
          originText(this.#session.request.origin, this.#l10n),
        ),
      );
    }
  }

  #line(text: string): void {
    if (this.#session.request.pipeStdin === true) {
      this.#send(text);
    } else {
      this.#say(this.#l10n.t('this session takes no input: it was started without input'));
    }
  }

  #send(text: string): void {
    const bytes = new TextEncoder().encode(text);
    if (this.#queue.write(bytes)) {
      this.#said = '';
    } else {
      const limit = byteText(INPUT_LIMIT_BYTES, this.#l10n);
      this.#say(
        this.#l10n.t('this input was not taken: more than {0} would be waiting for the program', limit),
      );
    }
  }

  #attempt(action: Promise<void>, done?: string): void {
    action.then(
      () => {
        if (done !== undefined) {
          this.#say(done);
        }
      },
      (error: unknown) => this.#say(sessionErrorText(error, this.#session.label, this.#l10n)),
    );
  }

  #reason(status: 'unknownProcess' | 'starting' | 'stdinClosed' | Error): string {
    switch (status) {
      case 'stdinClosed':
        return this.#l10n.t('this was not taken: the standard input is closed');
      case 'unknownProcess':
        return this.#l10n.t('this was not taken: the process is gone');
      case 'starting':
        return this.#l10n.t('this was not taken: the process is still starting');
      default:
        return sessionErrorText(status, this.#session.label, this.#l10n);
    }
  }

  #say(text: string): void {
    if (text !== this.#said) {
      this.#said = text;
      this.#listener.notice(text);
    }
  }
}

/** How long after the end no key acts, in milliseconds. */
const AFTER_END_MS = 1_000;

/** How long after a key no other one acts, in milliseconds. */
const AFTER_KEY_MS = 500;

/**
 * Decides whether a key after a session's end was pressed on purpose. A person who types ahead while the program ends
 * would otherwise run it again, or close its terminal, with the rest of the line. All times are those of a monotonic
 * clock.
 */
export class EndKeys {
  #endedAt = Number.NEGATIVE_INFINITY;
  #keyAt = Number.NEGATIVE_INFINITY;

  /** The end is on the screen from `now` on. */
  ended(now: number): void {
    this.#endedAt = now;
  }

  /** Notes a key, before or after the end. Returns true if it stands alone and so may act. */
  pressed(now: number): boolean {
    const sinceKey = now - this.#keyAt;
    this.#keyAt = now;
    return now - this.#endedAt >= AFTER_END_MS && sinceKey >= AFTER_KEY_MS;
  }
}
