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
