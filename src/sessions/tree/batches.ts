import { type Localizer, oneLine } from '../../core/index.js';
import { noteRow } from '../environments/index.js';
import type { SessionSnapshot } from '../list/index.js';
import { type SessionRow, sessionLabel } from '../words/index.js';
import { byKey } from './groups.js';
import type { SessionRows } from './sessionRows.js';
import type { Placed, TreeGroup } from './treeGroup.js';

/** The environments of a batch that have no session. Only the window knows them that has started it. */
export interface BatchRest {
  readonly id: string;
  readonly title: string;
  /** How many wait for their turn. */
  readonly waiting: number;
  /** Those in which no session could be started, by their ids. */
  readonly failures: ReadonlyMap<string, { readonly label: string; readonly reason: string }>;
}

/** The key of the group of a batch, which its menus give to commands. */
export function batchKey(id: string): string {
  return `batch/${id}`;
}

/** The sessions of a batch that count: one that was run again counts no more, its repeat does. */
export function currentOf(sessions: readonly SessionSnapshot[]): readonly SessionSnapshot[] {
  const repeated = new Set(
    sessions.filter(({ batch }) => batch !== undefined).map(({ previousId }) => previousId),
  );
  return sessions.filter(({ id, batch }) => batch !== undefined && !repeated.has(id));
}

/** Whether it has ended in another way than with exit code 0, so that it can be retried. */
export function hasFailedIn({ state, exit }: SessionSnapshot): boolean {
  return state !== 'starting' && state !== 'running' && exit?.exitCode !== 0;
}

/**
 * A group for each batch, the newest first.
 *
 * @param placed The sessions that count, in the order of the list.
 */
export function batchGroups(
  placed: readonly Placed[],
  rests: readonly BatchRest[],
  { made, rowOf, l10n }: { made: SessionRows; rowOf: (placed: Placed) => SessionRow; l10n: Localizer },
): readonly TreeGroup[] {
  const lists = byKey(placed, ({ session }) => session.batch ?? '');
  const ids = [...new Set([...lists.keys(), ...rests.map(({ id }) => id)])].toReversed();
  return ids.map((id) => {
    const members = lists.get(id) ?? [];
    const rest = rests.find((one) => one.id === id);
    // A retry that failed leaves the session that it was to repeat.
    const isThere = (id: string) => members.some(({ session }) => session.environment.id === id);
    const notes = [...(rest?.failures ?? [])]
      .filter(([environment]) => !isThere(environment))
      .map(([environment, { label, reason }]) =>
        noteRow(`${id}/${environment}`, oneLine(label), 'error', oneLine(reason)),
      );
    const name = JSON.stringify([id, rest?.waiting, notes]);
    return made.groupOf(name, members, () => batchGroup(id, members, rest, notes, rowOf, l10n));
  });
}

function batchGroup(
  id: string,
  members: readonly Placed[],
  rest: BatchRest | undefined,
  notes: readonly SessionRow[],
  rowOf: (placed: Placed) => SessionRow,
  l10n: Localizer,
): TreeGroup {
  const sessions = members.map(({ session }) => session);
  const running = sessions.filter(({ state }) => state === 'starting' || state === 'running').length;
  const failed = sessions.filter(hasFailedIn).length + notes.length;
  const waiting = rest?.waiting ?? 0;
  const count = members.length + notes.length + waiting;
  const description = [
    l10n.t('{0} of {1} exit 0', count - running - failed - waiting, count),
    ...(running > 0 ? [l10n.t('{0} running', running)] : []),
    ...(waiting > 0 ? [l10n.t('{0} waiting', waiting)] : []),
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
  ].join(', ');
  const [first] = sessions;
  const label = first === undefined ? oneLine(rest?.title ?? '') : sessionLabel(first);
  const flags = [
    ...(failed > 0 ? (['failed'] as const) : []),
    ...(running + waiting > 0 ? (['going'] as const) : []),
  ];
  return {
    ...{ key: batchKey(id), kind: 'batch', label, count, description, flags, icon: 'layers' },
    collapsed: flags.length === 0,
    accessibilityLabel: l10n.t('{0}, {1}', label, description),
    rows: [...members.map(rowOf), ...notes],
  };
}
