import type { Localizer, Survivor } from '../../core/index.js';
import { nameInMessage } from './text.js';

const NAMED_SURVIVORS = 5;

/** The facts by which a leftover process is named. */
type Named = Pick<Survivor, 'command' | 'pid'>;

export function survivorName({ command, pid }: Named, l10n: Localizer): string {
  return l10n.t('{0} (pid {1})', nameInMessage(command), pid);
}

/** Names leftover processes; of many, only a few. */
export function survivorNames(survivors: readonly Named[], l10n: Localizer): string {
  const named = survivors.slice(0, NAMED_SURVIVORS).map((survivor) => survivorName(survivor, l10n));
  const more = survivors.length - named.length;
  return [...named, ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
}

/** Names the leftover processes of ended sessions that Stop does not reach. */
export function leftoverText(survivors: readonly Named[], l10n: Localizer): string {
  const named = survivorNames(survivors, l10n);
  return survivors.length === 1
    ? l10n.t('One process of an ended session still runs and is not ended automatically: {0}.', named)
    : l10n.t(
        '{0} processes of ended sessions still run and are not ended automatically: {1}.',
        survivors.length,
        named,
      );
}
