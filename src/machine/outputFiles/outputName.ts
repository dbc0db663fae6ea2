/** The form of the names of files with output: the name of the session's process, a number, and the ending. */
const NAME = /^(.+)\.(\d+)\.output$/;

export function outputFileName(name: string, number: number): string {
  return `${name}.${number}.output`;
}

/** The process to which a file belongs, and which of its files that is; undefined for other files. */
export function partsOfName(file: string): { readonly name: string; readonly number: number } | undefined {
  const [, name, number] = NAME.exec(file) ?? [];
  return name === undefined ? undefined : { name, number: Number(number) };
}
