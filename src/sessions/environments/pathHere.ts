/**
 * The path on this machine of a file of another machine.
 *
 * @param there Its absolute path there.
 * @param folders Directories there whose files are on this machine too, each with its path here. The innermost one
 *   counts.
 * @returns undefined if it is in none of them.
 */
export function pathHere(there: string, folders: Readonly<Record<string, string>> = {}): string | undefined {
  const [inside] = Object.entries(folders)
    .map(([folder, here]) => ({ folder: withoutEnd(folder), here: withoutEnd(here) }))
    .filter(
      ({ folder }) =>
        there === folder || (there.startsWith(folder) && /[\\/]/.test(there.charAt(folder.length))),
    )
    .sort((one, other) => other.folder.length - one.folder.length);
  if (inside === undefined) {
    return undefined;
  }
  const { folder, here } = inside;
  const rest = there.slice(folder.length);
  // A backslash separates names on Windows only, where the path has a drive.
  return here + (/^[A-Za-z]:/.test(there) ? rest.replaceAll('\\', '/') : rest);
}

/** `/` becomes the empty text, since every path is below it. */
function withoutEnd(folder: string): string {
  return folder.replace(/[\\/]+$/, '');
}
