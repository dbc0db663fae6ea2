import { type Disposable, Emitter, type Event, type OutputEvent } from '../../core/index.js';
import {
  type CutLines,
  type LineMatch,
  LineMatcher,
  type LineMatcherOptions,
  type TextGap,
} from '../text/index.js';

import type { OutputSink } from './outputReader.js';

/** Looks for a matching line in the output that passes through. */
export class PatternSink implements OutputSink, Disposable {
  readonly #matcher: LineMatcher;
  readonly #found = new Emitter<LineMatch>();
  #match: LineMatch | undefined;
  readonly #afterSeq: number;
  /** Whether output was gone before it could be searched. */
  #missed = false;

  /** @param afterSeq Lines after this number of the output count. */
  constructor(options: LineMatcherOptions, afterSeq: number) {
    this.#matcher = new LineMatcher(options);
    this.#afterSeq = afterSeq;
  }

  get match(): LineMatch | undefined {
    return this.#match;
  }

  /** The first line that matches and was taken for echo. */
  get echo(): LineMatch | undefined {
    return this.#matcher.echo;
  }

  /** The last line that matches and that the agent has been shown. */
  get shown(): LineMatch | undefined {
    return this.#matcher.shown;
  }

  get cut(): CutLines | undefined {
    return this.#matcher.cut;
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
    this.#missed ||= event.type === 'gap' && event.throughSeq > this.#afterSeq;
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
