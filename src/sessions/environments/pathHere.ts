/**
 * Where a file of another machine is on this one.
 *
 * @param there Its whole path there.
 * @param folders Directories there whose files are here as well, and where; the innermost one counts.
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
  // A backslash separates on Windows alone, where its path there has a drive.
  return here + (/^[A-Za-z]:/.test(there) ? rest.replaceAll('\\', '/') : rest);
}

/** `/` becomes nothing: all is below it. */
function withoutEnd(folder: string): string {
  return folder.replace(/[\\/]+$/, '');
}
