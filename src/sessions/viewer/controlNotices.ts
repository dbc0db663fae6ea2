import { type Disposable, type Localizer, nothingToDispose } from '../../core/index.js';
import type { Session } from '../list/index.js';
import { originText } from '../words/index.js';

/** Says in the terminal of an agent's session each time that its controller changes. */
export function tellOfControl(session: Session, say: (text: string) => void, l10n: Localizer): Disposable {
  const agent = originText(session.request.origin, l10n);
  return (
    session.control?.onDidChangeController((controller) =>
      say(
        controller === 'person'
          ? l10n.t('you control this session now: what you type is sent, and {0} is told', agent)
          : l10n.t('{0} controls this session again: what you type is not sent', agent),
      ),
    ) ?? nothingToDispose
  );
}
