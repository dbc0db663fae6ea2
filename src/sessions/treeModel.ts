import type { Localizer } from '../core/index.js';
import { sessionRow, type SessionRow } from './rows.js';
import type { SessionSnapshot, SessionState } from './session.js';

export type GroupKind = 'running' | 'exited' | 'closed';

/** Sessions of one kind, newest first. */
export interface TreeGroup {
  readonly kind: GroupKind;
  readonly label: string;
  readonly count: number;
  readonly accessibilityLabel: string;
  readonly rows: readonly SessionRow[];
}

/** All that the tree shows; groups without rows are not there. */
export interface TreeModel {
  readonly groups: readonly TreeGroup[];
  /** How many run or are starting. */
  readonly running: number;
}

export const EMPTY_TREE: TreeModel = { groups: [], running: 0 };

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

/** @param sessions Oldest first, as the list has them. */
export function treeModel(sessions: readonly SessionSnapshot[], now: number, l10n: Localizer): TreeModel {
  const newestFirst = sessions.toReversed();
  const groups = GROUP_KINDS.map((kind): TreeGroup => {
    const rows = newestFirst
      .filter((session) => groupOf(session.state) === kind)
      .map((session) => sessionRow(session, now, l10n));
    const label = groupLabel(kind, l10n);
    return {
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
  return {
    groups: groups.filter(({ count }) => count > 0),
    running: groups.find(({ kind }) => kind === 'running')?.count ?? 0,
  };
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

/** What has to be drawn again. What is inside something else of it is not named twice. */
export type TreeChange =
  | { readonly all: true }
  | { readonly all: false; readonly groups: readonly GroupKind[]; readonly rows: readonly string[] };

/** Compares what was shown with what should be; equal rows are left alone. */
export function treeChange(before: TreeModel, after: TreeModel): TreeChange {
  if (list(before.groups.map(({ kind }) => kind)) !== list(after.groups.map(({ kind }) => kind))) {
    return { all: true };
  }
  const groups: GroupKind[] = [];
  const rows: string[] = [];
  for (const [index, group] of after.groups.entries()) {
    const old = before.groups[index]?.rows ?? [];
    if (list(old.map(({ id }) => id)) === list(group.rows.map(({ id }) => id))) {
      rows.push(...group.rows.filter((row, place) => !sameRow(row, old[place])).map(({ id }) => id));
    } else {
      groups.push(group.kind);
    }
  }
  return { all: false, groups, rows };
}

function list(names: readonly string[]): string {
  return names.join('\n');
}

function sameRow(row: SessionRow, other: SessionRow | undefined): boolean {
  return JSON.stringify(row) === JSON.stringify(other);
}
