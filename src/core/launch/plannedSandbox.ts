import { ExecError } from '../errors.js';
import type { HostInfo } from '../process/execBackend.js';
import { type Sandbox, TEMPORARY_FOLDER } from '../process/sandbox.js';
import { directoryThere } from './directory.js';

/** A sandbox as people and agents ask for it, or no sandbox. */
export type SandboxWish =
  | boolean
  | {
      /** Folders to write to besides the usual ones. They may be relative to the folder of the command. */
      readonly write?: readonly string[] | undefined;
      /** No network by default. */
      readonly network?: boolean | undefined;
    };

/**
 * The sandbox of a command: it writes to its folder and to the temporary ones, and has no network unless that is asked
 * for. A sandbox that is given whole, that of an earlier run, stays as it is.
 *
 * @param place.cwd The folder of the command, as an absolute path of its machine.
 * @param place.temporary The TMPDIR of the command, as far as it is known.
 * @throws ExecError `cwdNotAbsolute` if a folder is in a home directory that is not known.
 */
export function plannedSandbox(
  asked: Exclude<SandboxWish, false> | Sandbox,
  place: { readonly cwd: string; readonly host: HostInfo; readonly temporary: string | undefined },
): Sandbox {
  if (asked !== true && 'places' in asked) {
    return asked;
  }
  const { cwd, host, temporary } = place;
  const { write = [], network = false } = asked === true ? {} : asked;
  const more = write.map((folder) => {
    const path = directoryThere([folder, cwd], host);
    if (path === undefined) {
      throw new ExecError({ kind: 'cwdNotAbsolute', cwd: folder });
    }
    return path;
  });
  const folders = new Set([
    cwd,
    ...more,
    TEMPORARY_FOLDER,
    ...(temporary?.startsWith('/') === true ? [temporary] : []),
  ]);
  return { places: [...folders].map((path) => ({ path, access: 'write' })), network };
}
