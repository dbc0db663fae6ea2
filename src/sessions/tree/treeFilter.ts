import { type Localizer, oneLine, shorten } from '../../core/index.js';
import { isWithin, type SessionSnapshot } from '../list/index.js';
import { isFailure } from '../words/index.js';

/** What a session must be to be shown. A criterion that is absent lets everything through. */
export interface TreeFilter {
  /** Words that must all be in its name, its command line, its directory or its agent's name, in any case. */
  readonly text?: string;
  /** Only what agents have started. */
  readonly agent?: true;
  /** Only what has failed, or was lost. */
  readonly failed?: true;
  /** Only what runs in the environment with this id. */
  readonly environment?: string;
  /** Only what runs in this directory or below it. */
  readonly folder?: string;
}

export const NO_FILTER: TreeFilter = {};

export function isFiltering(filter: TreeFilter): boolean {
  return Object.keys(filter).length > 0;
}

export function passes(session: SessionSnapshot, filter: TreeFilter): boolean {
  const { text, agent, failed, environment, folder } = filter;
  return (
    (text === undefined || hasWords(session, text)) &&
    (agent === undefined || session.origin.kind === 'agent') &&
    (failed === undefined || isFailure(session)) &&
    (environment === undefined || session.environment.id === environment) &&
    (folder === undefined || isWithin(session.cwd, folder))
  );
}

/** The filter with a criterion set; the same criterion once more takes it away. */
export function toggled<K extends keyof TreeFilter>(
  filter: TreeFilter,
  name: K,
  value: NonNullable<TreeFilter[K]>,
): TreeFilter {
  const { [name]: before, ...others } = filter;
  return before === value ? others : { ...others, [name]: value };
}

/** The filter with another text; an empty one takes it away. */
export function withText(filter: TreeFilter, text: string): TreeFilter {
  return { ...toggled({ ...filter, text }, 'text', text), ...(text !== '' && { text }) };
}

/** The longest text of a criterion that is shown, in characters. */
const SHOWN_LENGTH = 40;

/** What the view shows now, in few words; undefined if that is everything. */
export function filterText(
  filter: TreeFilter,
  labelOf: (environment: string) => string,
  l10n: Localizer,
): string | undefined {
  const { text, agent, failed, environment, folder } = filter;
  const short = (from: string) => shorten(oneLine(from), SHOWN_LENGTH);
  const facts = [
    ...(text === undefined ? [] : [l10n.t('"{0}"', short(text))]),
    ...(agent === undefined ? [] : [l10n.t('by agents')]),
    ...(failed === undefined ? [] : [l10n.t('failed')]),
    ...(environment === undefined ? [] : [l10n.t('on {0}', short(labelOf(environment)))]),
    ...(folder === undefined ? [] : [l10n.t('in {0}', short(folder))]),
  ];
  return facts.length === 0 ? undefined : facts.join(', ');
}

function hasWords({ title, commandLine, cwd, origin }: SessionSnapshot, text: string): boolean {
  const searched = [title, commandLine, cwd, origin.name].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
