/** What all names of files with output end with; before it are the name of the session's process and a number. */
const NAME = /^(.+)\.(\d+)\.output$/;

export function outputFileName(name: string, number: number): string {
  return `${name}.${number}.output`;
}

/** The process to which a file belongs, and which of its files that is; undefined for other files. */
export function partsOfName(file: string): { readonly name: string; readonly number: number } | undefined {
  const [, name, number] = NAME.exec(file) ?? [];
  return name === undefined ? undefined : { name, number: Number(number) };
}
