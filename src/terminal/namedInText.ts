/** The most files of one line that are looked at. */
const MOST_FILES = 20;
/** The most characters of a line that are looked at: no compiler's message is longer. */
const MOST_CHARACTERS = 2_000;

/** A file that a line of output names. */
export interface NamedFile {
  /** The place of its name in the line, and the length of the whole reference, including the line and the column. */
  readonly at: number;
  readonly length: number;
  readonly path: string;
  /** Both count from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** One part of a path: letters of any language, and text in brackets, as in the routes of many frameworks. */
const PART = String.raw`(?:\[[^\s\[\]\/\\]*\]|[\p{L}\p{N}_.@+\-])+`;
/** A path, and the place in the file in the notation of compilers, Python and others. */
const FILE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_:\/\\.@+~\-])((?:[A-Za-z]:[\\\/]|~[\\\/]|\.{1,2}[\\\/]|[\\\/])?${PART}(?:[\\\/]${PART})*)` +
    String.raw`(?::(\d+)(?::(\d+))?|", line (\d+)|\((\d+)(?:,(\d+))?\))?`,
  'gu',
);
const HAS_ENDING = /\.[A-Za-z]\w*$/;

/** The files that a line of output names, with a place in it or by a path. They may not exist. */
export function filesInLine(text: string): readonly NamedFile[] {
  return (
    [...text.slice(0, MOST_CHARACTERS).matchAll(FILE)]
      .map((match) => {
        const [whole, path = '', lineA, columnA, lineB, lineC, columnC] = match;
        const line = Number(lineA ?? lineB ?? lineC ?? 0);
        const column = Number(columnA ?? columnC ?? 0);
        return {
          at: match.index,
          length: whole.length,
          path,
          ...(line > 0 && { line }),
          ...(column > 0 && { column }),
        };
      })
      // Bare words and addresses with a port are not files.
      .filter(({ path, line }) => /[\\/]/.test(path) || (line !== undefined && HAS_ENDING.test(path)))
      .slice(0, MOST_FILES)
  );
}

/** The most ports of one text that are looked at. */
const MOST_PORTS = 20;

/** A port as programs print it: `localhost:5173`, `0.0.0.0 port 8000`, `on port: 3000`. */
const PORT = /(?:[\w\])]:|\bport[ :=#]{1,2})(\d{2,5})(?![.:]*\d)/gi;

/** The TCP ports that a program's text names, latest first. Whether a program listens there must be looked up. */
export function portsInText(text: string): readonly number[] {
  const numbers = [...text.matchAll(PORT)].map(([, digits]) => Number(digits));
  const ports = numbers.filter((port) => port === 80 || port === 443 || (port >= 1024 && port <= 65_535));
  return [...new Set(ports.reverse())].slice(0, MOST_PORTS);
}
