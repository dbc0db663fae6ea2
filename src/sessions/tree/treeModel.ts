import type { Localizer } from '../../core/index.js';
import {
  type EnvironmentSnapshot,
  LOCAL_ID,
  type SessionSnapshot,
  type SessionState,
} from '../list/index.js';
import { environmentRow, type EnvironmentRow } from '../environments/index.js';
import type { SessionRow } from '../words/index.js';
import { SessionRows } from './sessionRows.js';

export type GroupKind = 'running' | 'exited' | 'closed';

/** Sessions of one kind, newest first. */
export interface TreeGroup {
  /** The group's name, unique in the tree. */
  readonly key: string;
  readonly kind: GroupKind;
  readonly label: string;
  readonly count: number;
  readonly accessibilityLabel: string;
  readonly rows: readonly SessionRow[];
}

/** An environment with the groups of its own sessions. */
export interface TreeEnvironment {
  readonly row: EnvironmentRow;
  readonly groups: readonly TreeGroup[];
}

/** Everything that the tree shows. It has either environments or groups; groups without rows are left out. */
export interface TreeModel {
  readonly environments: readonly TreeEnvironment[];
  readonly groups: readonly TreeGroup[];
  /** The number of sessions that run or are starting. */
  readonly running: number;
  /** Whether the tree shows a countdown in seconds. */
  readonly counting: boolean;
}

export const EMPTY_TREE: TreeModel = { environments: [], groups: [], running: 0, counting: false };

const GROUP_KINDS: readonly GroupKind[] = ['running', 'exited', 'closed'];

export function groupOf(state: SessionState): GroupKind {
  switch (state) {
    case 'starting':
    case 'running':
      return 'running';
    case 'exited':
      return 'exited';
    case 'closed':
    case 'lost':
      return 'closed';
  }
}

/** The key of a group. A tree without environments has at most one group of each kind. */
export function groupKey(kind: GroupKind, environment?: string): string {
  return environment === undefined ? kind : `${environment}/${kind}`;
}

/**
 * @param sessions Oldest first, as the list has them.
 * @param environments This machine first. They are shown as soon as one of the others is in use.
 * @param made The rows that need not be made again.
 */
export function treeModel(
  sessions: readonly SessionSnapshot[],
  now: number,
  l10n: Localizer,
  environments: readonly EnvironmentSnapshot[] = [],
  made = new SessionRows(),
): TreeModel {
  const running = sessions.filter(({ state }) => groupOf(state) === 'running').length;
  const counting =
    environments.some(({ state }) => state.kind === 'recovering') ||
    sessions.some(({ recovering }) => recovering !== undefined);
  const rowOf = (session: SessionSnapshot, inner: boolean) => made.rowOf(session, now, l10n, inner);
  const shown = shownEnvironments(sessions, environments);
  if (shown.length === 0) {
    return { environments: [], groups: groupsOf(sessions, undefined, rowOf, l10n), running, counting };
  }
  const own = byKey(sessions, ({ environment }) => environment.id);
  return {
    environments: shown.map((environment) => ({
      row: environmentRow(environment, now, l10n),
      groups: groupsOf(own.get(environment.id) ?? [], environment.id, rowOf, l10n),
    })),
    groups: [],
    running,
    counting,
  };
}

/** No environments while only this machine is in use; otherwise all of them, and those that only sessions remember. */
function shownEnvironments(
  sessions: readonly SessionSnapshot[],
  environments: readonly EnvironmentSnapshot[],
): readonly EnvironmentSnapshot[] {
  const inUse =
    environments.some(({ id, state }) => id !== LOCAL_ID && state.kind !== 'disconnected') ||
    sessions.some(({ environment }) => environment.id !== LOCAL_ID);
  if (!inUse) {
    return [];
  }
  const known = new Set(environments.map(({ id }) => id));
  const remembered = new Map(
    sessions
      .filter(({ environment }) => !known.has(environment.id))
      .map(({ environment }) => [environment.id, gone(environment)]),
  );
  return [...environments, ...remembered.values()];
}

/** An environment of which only sessions are left. */
function gone({ id, label }: SessionSnapshot['environment']): EnvironmentSnapshot {
  return { id, label, kind: 'command', target: '', state: { kind: 'disconnected' }, removed: true };
}

function groupsOf(
  sessions: readonly SessionSnapshot[],
  environment: string | undefined,
  rowOf: (session: SessionSnapshot, inner: boolean) => SessionRow,
  l10n: Localizer,
): readonly TreeGroup[] {
  const newestFirst = byKey(sessions.toReversed(), ({ state }) => groupOf(state));
  const groups = GROUP_KINDS.map((kind): TreeGroup => {
    const rows = (newestFirst.get(kind) ?? []).map((session) => rowOf(session, environment !== undefined));
    const label = groupLabel(kind, l10n);
    return {
      key: groupKey(kind, environment),
      kind,
      label,
      count: rows.length,
      accessibilityLabel:
        rows.length === 1
          ? l10n.t('{0}, one session', label)
          : l10n.t('{0}, {1} sessions', label, rows.length),
      rows,
    };
  });
  return groups.filter(({ count }) => count > 0);
}

/** The items in lists by their keys, each list in the order of the items. */
function byKey<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
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

function groupLabel(kind: GroupKind, l10n: Localizer): string {
  switch (kind) {
    case 'running':
      return l10n.t('Running');
    case 'exited':
      return l10n.t('Exited');
    case 'closed':
      return l10n.t('Closed');
  }
}
