import { type Localizer, memberText, oneLine, shorten } from '../../core/index.js';
import { type EngineDefinition, type EnvironmentSnapshot, isOpen } from '../list/index.js';
import { codeBlock, escapeMarkdown, type SessionRow } from '../words/index.js';
import { environmentRow, type EnvironmentRow } from './environmentRow.js';
import { memberId } from './memberId.js';

/** A member as its engine lists it. Only a running one can be reached. */
export interface ShownMember {
  readonly name: string;
  readonly state: 'running' | 'waiting' | 'ended';
  /** The engine's own words about it. */
  readonly detail?: string | undefined;
}

/** The members of an engine, as far as they are known. */
export type MemberListing =
  | { readonly kind: 'unread' | 'reading' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'read'; readonly members: readonly ShownMember[]; readonly leftOut: number };

export interface ListedEngine {
  readonly definition: EngineDefinition;
  readonly listing: MemberListing;
}

/** The longest text of an engine in a row, in characters. */
const DETAIL_LENGTH = 120;

export function engineRow({ definition, listing }: ListedEngine, l10n: Localizer): EnvironmentRow {
  const { id, name, kind, members } = definition;
  const count = listing.kind === 'read' ? [String(listing.members.length + listing.leftOut)] : [];
  return {
    id,
    label: name,
    description: [kind, ...count].join(' · '),
    icon: 'server-environment',
    accessibilityLabel: l10n.t('{0}, machines of {1}', name, kind),
    contextValue: `;engine;${kind};`,
    tooltip: [`**${escapeMarkdown(name)}** (${escapeMarkdown(id)})`, codeBlock(`${kind} ${members}`)].join(
      '\n\n',
    ),
  };
}

/** The rows below an engine that are no members: it is being read, failed, has none, or has more than are shown. */
export function engineNotes(
  { definition: { id }, listing }: ListedEngine,
  l10n: Localizer,
): readonly SessionRow[] {
  switch (listing.kind) {
    case 'unread':
    case 'reading':
      return [noteRow(id, l10n.t('Looking for members…'), 'loading~spin')];
    case 'failed':
      return [noteRow(id, shorten(oneLine(listing.reason), 2 * DETAIL_LENGTH), 'warning')];
    case 'read':
      return listing.members.length === 0
        ? [noteRow(id, l10n.t('no members'), 'info')]
        : listing.leftOut > 0
          ? [noteRow(id, l10n.t('{0} more', listing.leftOut), 'ellipsis')]
          : [];
  }
}

/** A row that only tells something. */
export function noteRow(id: string, label: string, icon: string, description = ''): SessionRow {
  const accessibilityLabel = description === '' ? label : `${label}, ${description}`;
  return { id: `note:${id}`, label, description, icon, accessibilityLabel, contextValue: ';note;' };
}

/**
 * @param name The name of the member. It need not be listed while it has sessions or a connection.
 * @param known The member as an environment, while it is connected.
 */
export function memberRow(
  { definition, listing }: ListedEngine,
  name: string,
  member: ShownMember | undefined,
  known: EnvironmentSnapshot | undefined,
  now: number,
  l10n: Localizer,
): EnvironmentRow {
  const { kind } = definition;
  const isGone = listing.kind === 'read' && listing.leftOut === 0 && member === undefined;
  const rests = known === undefined || known.state.kind === 'disconnected';
  const row = environmentRow(
    known ?? {
      ...{ id: memberId(definition.id, name), label: name, kind, target: memberText({ engine: kind, name }) },
      ...{ state: { kind: 'disconnected' }, removed: false },
    },
    now,
    l10n,
  );
  const state = isGone ? l10n.t('gone') : member && memberState(member, l10n);
  const description = [
    ...(rests && state !== undefined ? [] : [row.description]),
    ...(state === undefined ? [] : [state]),
  ];
  const canStart = known !== undefined && (isOpen(known.state) || known.state.kind === 'connecting');
  const startable = canStart || !(isGone || (member !== undefined && member.state !== 'running'));
  return {
    ...row,
    description: description.join(' · '),
    accessibilityLabel: [row.accessibilityLabel, ...(state === undefined ? [] : [state])].join(', '),
    ...(!startable && {
      icon: member?.state === 'waiting' ? 'watch' : 'circle-slash',
      contextValue: ';environment;',
    }),
  };
}

/** `running`, `2 h left`, `waiting: Priority, third in the queue`, `ended: OOMKilled`. */
function memberState({ state, detail: said }: ShownMember, l10n: Localizer): string {
  const detail = said === undefined ? '' : shorten(oneLine(said), DETAIL_LENGTH);
  switch (state) {
    case 'running':
      return detail === '' ? l10n.t('running') : detail;
    case 'waiting':
      return detail === '' ? l10n.t('waiting') : l10n.t('waiting: {0}', detail);
    case 'ended':
      return detail === '' ? l10n.t('ended') : l10n.t('ended: {0}', detail);
  }
}
