import { type Disposable, Emitter, type Event, type OutputEvent } from '../core/index.js';
import { type LineMatch, LineMatcher, type LineMatcherOptions, type TextGap } from './text/index.js';

import type { OutputSink } from './outputReader.js';

/** Looks for a matching line in the output that passes through. */
export class PatternSink implements OutputSink, Disposable {
  readonly #matcher: LineMatcher;
  readonly #found = new Emitter<LineMatch>();
  #match: LineMatch | undefined;
  /** Whether output was gone before it could be searched. */
  #missed = false;

  /** @throws Error whose message says what is wrong with the pattern. */
  constructor(options: LineMatcherOptions) {
    this.#matcher = new LineMatcher(options);
  }

  get match(): LineMatch | undefined {
    return this.#match;
  }

  get missed(): boolean {
    return this.#missed;
  }

  get onFound(): Event<LineMatch> {
    return this.#found.event;
  }

  push(event: OutputEvent | TextGap): void {
    if (this.#match !== undefined) {
      return;
    }
    this.#missed ||= event.type === 'gap';
    this.#matcher.push(event);
  }

  /** Fires `onFound` before it resolves, if there is a match. */
  async drained(): Promise<void> {
    if (this.#match === undefined) {
      this.#match = await this.#matcher.drained();
      if (this.#match !== undefined) {
        this.#found.fire(this.#match);
      }
    }
  }

  dispose(): void {
    this.#matcher.dispose();
    this.#found.dispose();
  }
}
