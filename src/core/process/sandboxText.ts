import { pathParts } from '../launch/directory.js';
import { english, type Localizer } from '../localizer.js';
import { LINE_LENGTH, oneLine } from '../oneLine.js';
import type { ExitStatus } from './execEvents.js';
import { type Sandbox, TEMPORARY_FOLDER } from './sandbox.js';

/** The longest name of a folder, in characters. */
const NAME_LENGTH = 60;

/**
 * The bounds of a process in a few words: `writes to web, no network`. The folders below the temporary one are not
 * named, unless the first one is among them.
 */
export function sandboxText({ places, network }: Sandbox, l10n: Localizer = english): string {
  const writable = places.filter(({ access }) => access === 'write').map(({ path }) => path);
  const named = writable.filter(
    (path, index) => index === 0 || !`${path}/`.startsWith(`${TEMPORARY_FOLDER}/`),
  );
  const writes = writesText(named, l10n);
  return network ? l10n.t('{0}, with network', writes) : l10n.t('{0}, no network', writes);
}

function writesText(folders: readonly string[], l10n: Localizer): string {
  const [first, second, ...more] = folders.map((folder) => oneLine(pathParts(folder).name, NAME_LENGTH));
  if (first === undefined) {
    return l10n.t('writes nothing');
  }
  if (second === undefined) {
    return l10n.t('writes to {0}', first);
  }
  return more.length === 0
    ? l10n.t('writes to {0} and {1}', first, second)
    : l10n.t('writes to {0}, {1} and {2} more', first, second, more.length);
}

/** Says in a few words that a sandbox seems to have made a program fail; undefined if it does not. */
export function refusalText({ refused }: ExitStatus, l10n: Localizer = english): string | undefined {
  if (refused === undefined) {
    return undefined;
  }
  return refused.file === undefined
    ? l10n.t('refused by the sandbox')
    : l10n.t('refused by the sandbox: {0} is read-only', oneLine(refused.file, LINE_LENGTH));
}
