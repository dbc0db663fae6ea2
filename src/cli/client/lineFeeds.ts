/** IND: the cursor goes down a line, and the screen up if need be, as with a line feed. */
const INDEX = '\u001bD';

/**
 * Keeps line feeds what they are. A terminal in Node's raw mode puts a carriage return before each of them, as it does
 * without raw mode. But the program has its own terminal, which has done so if the program wants it. A full-screen
 * program may mean a line feed that stays in its column.
 */
export class LineFeeds {
  #afterReturn = false;

  /** @param text The next piece of the output. */
  write(text: string): string {
    if (text === '') {
      return text;
    }
    // Behind a carriage return, a second one changes nothing.
    const written = text.replace(/(^|[^\r])(\n+)/g, (all, before: string, feeds: string) =>
      before === '' && this.#afterReturn ? all : before + feeds.replaceAll('\n', INDEX),
    );
    this.#afterReturn = text.endsWith('\r');
    return written;
  }
}
