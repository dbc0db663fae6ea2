import type { Disposable, Localizer } from '../../core/index.js';
import { secondsLeft, type Session } from '../list/index.js';

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
