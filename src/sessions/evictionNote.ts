import type { Localizer, LogStats } from '../core/index.js';
import { byteText } from './bytes.js';

/** A line that says what is missing before the output, or nothing if it is all there. */
export function evictionNote(output: LogStats, l10n: Localizer): string {
  return output.evicted.bytes === 0
    ? ''
    : `${l10n.t(
        '[{0} of older output are no longer kept; {1} follow]',
        byteText(output.evicted.bytes, l10n),
        byteText(output.retainedBytes, l10n),
      )}\n`;
}
