import { type LaunchOrigin, type Localizer, oneLine, pathParts } from '../../core/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { endOf, type SessionRow } from '../words/index.js';
import type { Grouping } from './arrangement.js';
import type { SessionRows } from './sessionRows.js';
import type { Placed, TreeGroup } from './treeGroup.js';
import { type Stage, STAGES } from './placeBook.js';

/** The data that groups are made from. */
export interface GroupMaking {
  readonly rowOf: (placed: Placed) => SessionRow;
  /** Whether only some sessions are shown. The groups that have some of them are expanded then. */
  readonly filtering: boolean;
  /** Whether rows name their environments. */
  readonly namesEnvironment: boolean;
  /** The groups that need not be made again. */
  readonly made: SessionRows;
  readonly l10n: Localizer;
}

/** A group before its rows are ordered and made. */
interface GroupDraft extends Pick<TreeGroup, 'key' | 'kind' | 'label' | 'icon'> {
  readonly detail?: string;
  /** In the order of the list. */
  readonly members: readonly Placed[];
}

/** The key of a group of one stage. A tree without environments has at most one group of each stage. */
function stageKey(stage: Stage, environment?: string): string {
  return environment === undefined ? stage : `${environment}/${stage}`;
}

export function pinnedGroup(members: readonly Placed[], making: GroupMaking): readonly TreeGroup[] {
  const label = making.l10n.t('Pinned');
  return finished([{ key: 'pinned', kind: 'pinned', label, icon: 'pinned', members }], making);
}

export function stageGroups(
  sessions: readonly Placed[],
  environment: string | undefined,
  making: GroupMaking,
): readonly TreeGroup[] {
  const byStage = byKey(sessions, ({ place }) => place.stage);
  const drafts = STAGES.map((stage): GroupDraft => ({
    key: stageKey(stage, environment),
    kind: stage,
    label: stageLabel(stage, making.l10n),
    members: byStage.get(stage) ?? [],
  }));
  return finished(drafts, making);
}

/**
 * The sessions of other folders, which are less often looked for than those of this window.
 *
 * @param environment The one that the group is inside of, if environments are shown.
 */
export function elsewhereGroup(
  members: readonly Placed[],
  environment: string | undefined,
  making: GroupMaking,
): readonly TreeGroup[] {
  const running = members.filter(({ place }) => place.stage === 'running').length;
  const draft: GroupDraft = {
    key: environment === undefined ? 'elsewhere' : `${environment}/elsewhere`,
    kind: 'elsewhere',
    label: making.l10n.t('Elsewhere'),
    icon: 'folder',
    ...(running > 0 && { detail: making.l10n.t('{0} running', running) }),
    members,
  };
  return finished([draft], making);
}

/** The groups of a grouping that has nothing to do with states. */
export function otherGroups(
  grouping: Exclude<Grouping, 'state' | 'environment'>,
  sessions: readonly Placed[],
  making: GroupMaking,
): readonly TreeGroup[] {
  const { l10n } = making;
  const draft = grouping === 'owner' ? ownerDraft : folderDraft;
  const lists = byKey(sessions, ({ session }) => draft(session, l10n).key);
  const drafts = [...lists.values()].flatMap((list) => {
    const [first] = list;
    return first === undefined ? [] : [{ ...draft(first.session, l10n), members: list }];
  });
  return finished(
    drafts.toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    making,
  );
}

/** Owners in the order in which they are shown. */
const OWNERS: readonly LaunchOrigin['kind'][] = ['user', 'extension', 'agent', 'other'];
const OWNER_ICONS: Readonly<Record<LaunchOrigin['kind'], string>> = {
  user: 'account',
  extension: 'extensions',
  agent: 'hubot',
  other: 'terminal',
};

function ownerDraft({ origin }: SessionSnapshot, l10n: Localizer): Omit<GroupDraft, 'members'> {
  const label = ownerLabel(origin, l10n);
  const order = OWNERS.indexOf(origin.kind);
  return { key: `owner/${order}/${label}`, kind: 'owner', label, icon: OWNER_ICONS[origin.kind] };
}

function ownerLabel({ kind, name }: LaunchOrigin, l10n: Localizer): string {
  switch (kind) {
    case 'user':
      return l10n.t('You');
    case 'extension':
      return oneLine(name ?? l10n.t('An extension'));
    case 'agent':
      return oneLine(name ?? l10n.t('An agent'));
    case 'other':
      return l10n.t('Another program');
  }
}

function folderDraft({ cwd, environment }: SessionSnapshot): Omit<GroupDraft, 'members'> {
  const { above, name } = pathParts(cwd);
  return {
    key: `folder/${environment.id}/${cwd}`,
    kind: 'folder',
    label: oneLine(name),
    icon: 'folder',
    ...(above !== '' && { detail: oneLine(above) }),
  };
}

function finished(drafts: readonly GroupDraft[], making: GroupMaking): readonly TreeGroup[] {
  return drafts
    .filter(({ members }) => members.length > 0)
    .map((draft) =>
      making.made.groupOf(`${draft.key} ${making.namesEnvironment} ${making.filtering}`, draft.members, () =>
        groupOf(draft, making),
      ),
    );
}

function groupOf(
  { members, detail, ...draft }: GroupDraft,
  { rowOf, filtering, l10n }: GroupMaking,
): TreeGroup {
  const count = members.length;
  return {
    ...draft,
    count,
    description: detail === undefined ? String(count) : `${count} · ${detail}`,
    collapsed: !filtering && (draft.kind === 'succeeded' || draft.kind === 'elsewhere'),
    accessibilityLabel:
      count === 1 ? l10n.t('{0}, one session', draft.label) : l10n.t('{0}, {1} sessions', draft.label, count),
    rows: inOrder(draft.kind, members).map(rowOf),
  };
}

function inOrder(kind: TreeGroup['kind'], members: readonly Placed[]): readonly Placed[] {
  if (kind === 'pinned') {
    // A pinned row never moves while its session runs and ends.
    return newestFirst(members);
  }
  // Elsewhere, running sessions come first, with any starter.
  return kind === 'elsewhere'
    ? STAGES.flatMap((stage) => ordered(members.filter(({ place }) => place.stage === stage)))
    : ordered(members);
}

/**
 * A person's own sessions come before those of agents. Running ones are sorted newest first, the others by their end.
 */
function ordered(sessions: readonly Placed[]): readonly Placed[] {
  // The keys are made once each, not once for each comparison: there may be thousands of sessions.
  const keyed = sessions.map((placed) => ({ placed, keys: keysOf(placed) }));
  keyed.sort(
    (one, other) =>
      one.keys.agents - other.keys.agents ||
      one.keys.stage - other.keys.stage ||
      other.keys.end - one.keys.end ||
      other.keys.rank - one.keys.rank,
  );
  return keyed.map(({ placed }) => placed);
}

function keysOf({ session, place }: Placed) {
  const { stage, rank } = place;
  return {
    agents: session.origin.kind === 'agent' ? 1 : 0,
    stage: STAGES.indexOf(stage),
    // A row that is held among the running ones has no end yet.
    end: stage === 'running' ? 0 : (endOf(session) ?? 0),
    rank,
  };
}

function newestFirst(sessions: readonly Placed[]): readonly Placed[] {
  return sessions.toSorted((one, other) => other.place.rank - one.place.rank);
}

/** The items in lists by their keys, each list in the order of the items. */
export function byKey<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const lists = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const list = lists.get(key);
    if (list === undefined) {
      lists.set(key, [item]);
    } else {
      list.push(item);
    }
  }
  return lists;
}

function stageLabel(stage: Stage, l10n: Localizer): string {
  switch (stage) {
    case 'running':
      return l10n.t('Running');
    case 'exited':
      return l10n.t('Exited');
    case 'closed':
      return l10n.t('Closed');
    case 'succeeded':
      return l10n.t('Succeeded');
  }
}
