import { type Clock, deferred, delay, type ExecProcess, type OutputEvent } from '../../core/index.js';
import { PlainText } from '../../terminal/index.js';
import { follow } from './follow.js';

/** A line that goes on is looked at each time it has grown, up to this length; a longer one, when it has doubled. */
const SHORT_LINE = 1_000;
/** The silence after which a line that goes on is looked at, however long it is, in milliseconds. */
const QUIET_MS = 50;
/** The most characters of one line. The rest counts as the next line. */
const LONGEST_LINE = 64 * 1024;

/**
 * Gives the lines of a session's output to a function until it returns a value. Those that have come together are given
 * together. A line that goes on, such as a prompt, may be given several times. The work is in proportion to the
 * output, however small the pieces of a line are.
 *
 * @returns undefined when the output has ended, or `signal` is aborted.
 * @throws CliError if the session can never be reached again.
 */
export async function followLines<T>(
  clock: Clock,
  process: Pick<ExecProcess, 'subscribe'>,
  signal: AbortSignal,
  look: (lines: readonly string[]) => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  const lines = new LineTexts();
  const waiting: (() => void)[] = [];
  let news = deferred();
  const seen = { end: false, settled: false };
  const following = follow(
    process,
    (event, done) => {
      if (event.type === 'output') {
        lines.push(event);
      }
      waiting.push(done);
      seen.end = event.type === 'closed';
      news.resolve();
      return seen.end ? true : undefined;
    },
    signal,
  );
  const settle = () => {
    seen.settled = true;
    news.resolve();
  };
  following.then(settle, settle);
  let isQuiet = false;
  for (;;) {
    const { end, settled } = seen;
    if (settled && !end) {
      // It has rejected, or the wait is aborted.
      await following;
      return undefined;
    }
    news = deferred();
    const found = await look(lines.take(end || isQuiet));
    if (found !== undefined || end) {
      return found;
    }
    waiting.splice(0).forEach((done) => done());
    isQuiet = await staysQuiet(clock, news.promise, lines.holds);
  }
}

/** Resolves with the news, or when they have not come for some time, if that is of interest. */
async function staysQuiet(clock: Clock, news: Promise<unknown>, interests: boolean): Promise<boolean> {
  const over = new AbortController();
  const quiet = interests ? [delay(clock, QUIET_MS, over.signal).then(() => true)] : [];
  const isQuiet = await Promise.race([news.then(() => false), ...quiet]);
  over.abort();
  return isQuiet;
}

class LineTexts {
  #text = new PlainText();
  #ended = '';
  /** The length of the line that goes on when it was given last. */
  #given = 0;

  push(event: OutputEvent): void {
    this.#ended += this.#text.write(event);
    if (this.#text.lastLength > LONGEST_LINE) {
      this.#ended += `${this.#text.end()}\n`;
      this.#text = new PlainText();
    }
  }

  /** Whether a line goes on that was not given as it is now. */
  get holds(): boolean {
    return this.#text.lastLength !== this.#given;
  }

  /** @param all Whether the line that goes on is given in any case. */
  take(all: boolean): readonly string[] {
    const ended = this.#ended.split('\n').slice(0, -1);
    this.#ended = '';
    const length = this.#text.lastLength;
    this.#given = ended.length > 0 ? 0 : this.#given;
    if (length > 0 && (all || length <= SHORT_LINE || length >= 2 * this.#given)) {
      this.#given = length;
      return [...ended, this.#text.last];
    }
    return ended;
  }
}
