import { type Localizer, oneLine, shorten } from '../../core/index.js';
import { isWithin, type SessionSnapshot } from '../list/index.js';
import { isFailure } from '../words/index.js';

/** The criteria for a session to be shown. An absent criterion lets everything through. */
export interface TreeFilter {
  /** Words that must all be in its name, command line, directory, ports or its agent's name, in any case. */
  readonly text?: string;
  /** Only sessions that agents have started. */
  readonly agent?: true;
  /** Only sessions that have failed or were lost. */
  readonly failed?: true;
  /** Only sessions in the environment with this id. */
  readonly environment?: string;
  /** Only sessions in this directory or below it. */
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

/** The filter with a criterion set. The same criterion once more removes it. */
export function toggled<K extends keyof TreeFilter>(
  filter: TreeFilter,
  name: K,
  value: NonNullable<TreeFilter[K]>,
): TreeFilter {
  const { [name]: before, ...others } = filter;
  return before === value ? others : { ...others, [name]: value };
}

/** The filter with another text. An empty text removes it. */
export function withText(filter: TreeFilter, text: string): TreeFilter {
  return { ...toggled({ ...filter, text }, 'text', text), ...(text !== '' && { text }) };
}

/** The longest text of a criterion that is shown, in characters. */
const SHOWN_LENGTH = 40;

/** A short description of the filter; undefined if everything is shown. */
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

function hasWords({ title, commandLine, cwd, origin, ports = [] }: SessionSnapshot, text: string): boolean {
  const searched = [title, commandLine, cwd, origin.name, ...ports.map((port) => `:${port}`)]
    .join('\n')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => (/^:\d+$/.test(word) ? hasPort(searched, word) : searched.includes(word)));
}

/** Whether a text has `:3000`, which is not the beginning of `:30001`. */
function hasPort(text: string, port: string): boolean {
  return new RegExp(String.raw`${port}(?!\d)`).test(text);
}
