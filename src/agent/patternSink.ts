import { Emitter, type Disposable, type Event, type GapEvent, type OutputEvent } from '../core/index.js';

import type { OutputSink } from './logFollower.js';
import { LineMatcher, type LineMatcherOptions } from './text/index.js';

/** A line that was waited for. */
export type LineFound = NonNullable<ReturnType<LineMatcher['push']>>;

/** Looks for a line in the output that passes. */
export class PatternSink implements OutputSink, Disposable {
  readonly #matcher: LineMatcher;
  readonly #found = new Emitter<LineFound>();
  #match: LineFound | undefined;
  /** Whether output was gone before it could be looked at. */
  #missed = false;

  /** @throws Error whose message says what is wrong with the pattern. */
  constructor(options: LineMatcherOptions) {
    this.#matcher = new LineMatcher(options);
  }

  get match(): LineFound | undefined {
    return this.#match;
  }

  get missed(): boolean {
    return this.#missed;
  }

  get onFound(): Event<LineFound> {
    return this.#found.event;
  }

  push(event: OutputEvent | GapEvent): void {
    if (this.#match !== undefined) {
      return;
    }
    this.#missed ||= event.type === 'gap';
    this.#match = this.#matcher.push(event);
    if (this.#match !== undefined) {
      this.#found.fire(this.#match);
    }
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): void {
    this.#matcher.dispose();
    this.#found.dispose();
  }
}
