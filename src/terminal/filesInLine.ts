/** As many files of one line as are looked at. */
const MOST_FILES = 20;
/** As much of a line as is looked at: a longer one is no message of a compiler. */
const MOST_CHARACTERS = 2_000;

/** A file that a line of output names. */
export interface NamedFile {
  /** The place of its name in the line, and the length of what names it, with the line and the column. */
  readonly at: number;
  readonly length: number;
  readonly path: string;
  /** Both count from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A path with at least two parts or an ending, and the place in the file as compilers, Python and others write it. */
const FILE =
  /(?<![\w:/\\.@+~-])((?:[A-Za-z]:[\\/]|~[\\/]|\.{1,2}[\\/]|[\\/])?[\w.@+-]+(?:[\\/][\w.@+-]+)*)(?::(\d+)(?::(\d+))?|", line (\d+)|\((\d+)(?:,(\d+))?\))?/g;
const HAS_ENDING = /\.[A-Za-z]\w*$/;

/** The files that a line of output names, with a place in it or by a path. Whether they exist is not known. */
export function filesInLine(text: string): readonly NamedFile[] {
  return [...text.slice(0, MOST_CHARACTERS).matchAll(FILE)]
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
    .filter(({ path, line }) => (line === undefined ? /[\\/]/.test(path) : HAS_ENDING.test(path)))
    .slice(0, MOST_FILES);
}
