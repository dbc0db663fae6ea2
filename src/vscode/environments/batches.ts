import * as vscode from 'vscode';

import { type Disposable, Emitter } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import type { BatchRest } from '../../sessions/tree/index.js';
import { errorText } from '../userError.js';

/** The most sessions of one batch that run side by side. So at most as many connections are made at once. */
const AT_ONCE = 8;

/** One start of a batch. */
export interface BatchStart {
  /** The id of the environment, and its name. */
  readonly id: string;
  readonly label: string;
  readonly begin: (signal: AbortSignal) => Promise<Session>;
}

interface Rest extends BatchRest {
  waiting: number;
  readonly failures: Map<string, BatchStart & { readonly reason: string }>;
  cancel: AbortController;
}

/**
 * Starts one command in several environments, a few at a time. Every window shows the sessions; only this one knows the
 * environments without any.
 */
export class Batches implements Disposable {
  readonly #didChange = new Emitter<void>();
  readonly #rests = new Map<string, Rest>();

  readonly onDidChange = this.#didChange.event;

  get rests(): readonly BatchRest[] {
    return [...this.#rests.values()].filter(({ waiting, failures }) => waiting > 0 || failures.size > 0);
  }

  /** The starts that came to no session. They are taken out, since the caller tries them again. */
  takeFailed(id: string): readonly BatchStart[] {
    const failures = this.#rests.get(id)?.failures;
    const starts = [...(failures?.values() ?? [])];
    failures?.clear();
    return starts;
  }

  /** Starts nothing more of it. */
  cancel(id: string): void {
    this.#rests.get(id)?.cancel.abort();
  }

  /** Resolves when all have ended. A start that fails is a row of the batch. */
  async run(id: string, title: string, starts: readonly BatchStart[]): Promise<void> {
    const rest: Rest = this.#rests.get(id) ?? {
      ...{ id, title, waiting: 0, failures: new Map(), cancel: new AbortController() },
    };
    this.#rests.set(id, rest);
    if (rest.cancel.signal.aborted) {
      rest.cancel = new AbortController();
    }
    const { signal } = rest.cancel;
    rest.waiting += starts.length;
    this.#didChange.fire();
    const queue = [...starts];
    const fail = (start: BatchStart, reason: string) => {
      rest.failures.set(start.id, { ...start, reason });
      this.#didChange.fire();
    };
    const giveUp = () => {
      rest.waiting -= queue.length;
      queue.splice(0).forEach((start) => fail(start, vscode.l10n.t('not started')));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const workOff = async () => {
      for (let start = queue.shift(); start !== undefined; start = queue.shift()) {
        rest.waiting -= 1;
        try {
          await untilEnded(await start.begin(signal));
        } catch (error) {
          fail(start, errorText(error));
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, workOff));
    signal.removeEventListener('abort', giveUp);
  }

  dispose(): void {
    this.#rests.forEach(({ cancel }) => cancel.abort());
    this.#didChange.dispose();
  }
}

function untilEnded(session: Session): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (session.ended) {
        subscription.dispose();
        resolve();
      }
    };
    const subscription = session.onDidChange(look);
    look();
  });
}
