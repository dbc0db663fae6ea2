import { openLinks } from '../stop/holders.js';
import { forEachPid } from '../marks/processTable.js';

/**
 * The files in a folder that any process of this user has open, by their paths without symbolic links. Only Linux tells
 * that; the answer is empty elsewhere, and if it cannot be found out.
 *
 * @param folder Without symbolic links.
 */
export async function openFilesIn(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (process.platform === 'linux') {
    const within = `${folder}/`;
    await forEachPid((pid) => {
      openLinks(pid)
        .filter((file) => file.startsWith(within))
        .forEach((file) => found.add(file));
    }).catch(() => undefined);
  }
  return found;
}
