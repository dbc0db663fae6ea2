import type { Localizer, LogStats, MissingEnd, MissingOutput } from '../../core/index.js';
import { byteText } from './quantities.js';

/** Counts of an output that was read, including bytes that no log counts. */
export interface ReadStats extends LogStats {
  /** Whether it is unknown how much is missing. */
  readonly goneUnknown?: boolean;
  /** The part that is missing at the end of the output on disk. */
  readonly missingEnd?: MissingEnd | undefined;
}

/** Lines that say how much output is missing; empty if all of it is there. */
export function evictionNote(
  { evicted, goneUnknown, missing, retainedBytes }: ReadStats,
  l10n: Localizer,
): string {
  const notes: string[] = [];
  const rest = byteText(retainedBytes, l10n);
  if (goneUnknown === true) {
    notes.push(l10n.t('[Some of the output is missing; {0} follow]', rest));
  } else if (evicted.bytes > 0) {
    notes.push(
      l10n.t('[{0} of older output are no longer kept; {1} follow]', byteText(evicted.bytes, l10n), rest),
    );
  }
  if (missing.chunks > 0) {
    notes.push(`[${missingText(missing, l10n)}]`);
  }
  return notes.map((note) => `${note}\n`).join('');
}

/** The line in the place of output that is missing among other output. */
export function gapLine({ bytes }: MissingOutput, l10n: Localizer): string {
  const line =
    bytes === undefined
      ? l10n.t('[… output is missing here …]')
      : l10n.t('[… {0} of the output are missing here …]', byteText(bytes, l10n));
  return `${line}\n`;
}

/** The line after output whose end is missing, or may be missing; empty if the end is there. */
export function endLine({ missingEnd }: ReadStats, l10n: Localizer): string {
  return missingEnd === undefined ? '' : `[${missingEndText(missingEnd, l10n)}]\n`;
}

/** Says in a sentence how much of the output is not there; undefined if all of it is. */
export function missingSentence(
  { evicted, goneUnknown, missing, missingEnd }: ReadStats,
  l10n: Localizer,
): string | undefined {
  const gone =
    goneUnknown === true
      ? l10n.t('some of it is missing')
      : l10n.t('{0} of older output are no longer kept', byteText(evicted.bytes, l10n));
  const facts = [
    ...(evicted.bytes > 0 || goneUnknown === true ? [gone] : []),
    ...(missing.chunks > 0 ? [missingText(missing, l10n)] : []),
    ...(missingEnd === undefined ? [] : [missingEndText(missingEnd, l10n)]),
  ];
  return facts.length === 0 ? undefined : l10n.t('The output is not complete: {0}.', facts.join('; '));
}

/** Says how much output never arrived here, because the connection to its machine was cut or too slow. */
export function missingText(missing: LogStats['missing'], l10n: Localizer): string {
  return missing.bytes > 0
    ? l10n.t('{0} or more never arrived here', byteText(missing.bytes, l10n))
    : missing.chunks === 1
      ? l10n.t('one piece of it never arrived here')
      : l10n.t('{0} pieces of it never arrived here', missing.chunks);
}

function missingEndText({ bytes }: MissingEnd, l10n: Localizer): string {
  return bytes === undefined
    ? l10n.t('the end may be missing: the server ended before all output was on disk')
    : l10n.t('{0} at the end are not on disk', byteText(bytes, l10n));
}
