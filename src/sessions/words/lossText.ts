import type { Localizer } from '../../core/index.js';
import { oneLine, shorten } from './text.js';

/** How the wire's own words for the end of a connection begin. */
const WIRE_PREFIX = /^exec-server transport disconnected(?:: *|$)/;

/** What a backend says that was told to disconnect. */
const CLOSED_HERE = 'closed by this side';

/** A server can say what it likes; more than this is read nowhere. */
const REASON_LENGTH = 300;

/** Why a machine or a session on it was lost, for people: without what only the wire needs, and never empty. */
export function lossText(reason: string | undefined, l10n: Localizer): string {
  const text = oneLine(reason ?? '').replace(WIRE_PREFIX, '');
  if (text === CLOSED_HERE) {
    return l10n.t('this window has disconnected');
  }
  if (text.includes('unknown session id')) {
    return l10n.t('the server was restarted, or has given up waiting');
  }
  const seconds = /recovery timed out after ([\d.]+)s/.exec(text)?.[1];
  if (seconds !== undefined) {
    return l10n.t('it could not be reached again within {0} s', seconds);
  }
  return text === '' ? l10n.t('the reason is not known') : shorten(text, REASON_LENGTH);
}
