import type { Localizer, LogStats } from '../../core/index.js';
import { byteText } from './bytes.js';

/** Lines that say how much output is missing; empty if all of it is there. */
export function evictionNote({ evicted, missing, retainedBytes }: LogStats, l10n: Localizer): string {
  const notes: string[] = [];
  if (evicted.bytes > 0) {
    notes.push(
      l10n.t(
        '[{0} of older output are no longer kept; {1} follow]',
        byteText(evicted.bytes, l10n),
        byteText(retainedBytes, l10n),
      ),
    );
  }
  if (missing.chunks > 0) {
    notes.push(`[${missingText(missing, l10n)}]`);
  }
  return notes.map((note) => `${note}\n`).join('');
}

/** Says in a sentence how much of the output is not there; undefined if all of it is. */
export function missingSentence({ evicted, missing }: LogStats, l10n: Localizer): string | undefined {
  const facts = [
    ...(evicted.bytes > 0
      ? [l10n.t('{0} of older output are no longer kept', byteText(evicted.bytes, l10n))]
      : []),
    ...(missing.chunks > 0 ? [missingText(missing, l10n)] : []),
  ];
  return facts.length === 0 ? undefined : l10n.t('Not all of the output is in it: {0}.', facts.join('; '));
}

/** Says how much output never arrived here, because the connection to its machine was cut or too slow. */
export function missingText(missing: LogStats['missing'], l10n: Localizer): string {
  return missing.bytes > 0
    ? l10n.t('{0} or more never arrived here', byteText(missing.bytes, l10n))
    : missing.chunks === 1
      ? l10n.t('one piece of it never arrived here')
      : l10n.t('{0} pieces of it never arrived here', missing.chunks);
}
