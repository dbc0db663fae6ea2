import type { Placed, TreeEnvironment, TreeGroup } from './treeGroup.js';
import type { Localizer } from '../../core/index.js';
import {
  type EnvironmentSnapshot,
  LOCAL_ID,
  type SessionSnapshot,
  type WindowFolders,
} from '../list/index.js';
import { engineIdOf, environmentRow, type ListedEngine } from '../environments/index.js';
import { type Arrangement, type Elsewhere, isApart, USUAL_ARRANGEMENT } from './arrangement.js';
import { batchGroups, type BatchRest, currentOf } from './batches.js';
import { byKey, elsewhereGroup, type GroupMaking, otherGroups, pinnedGroup, stageGroups } from './groups.js';
import { PlaceBook, type SessionPlace, stageOf } from './placeBook.js';
import { SessionRows } from './sessionRows.js';
import { type TreeEngine, treeEngines } from './treeEngines.js';
import { filterText, isFiltering, passes } from './treeFilter.js';

/** Everything that the tree shows: groups, environments, engines. Groups without rows are left out. */
export interface TreeModel {
  readonly environments: readonly TreeEnvironment[];
  readonly engines: readonly TreeEngine[];
  readonly groups: readonly TreeGroup[];
  /** The number of sessions that run or are starting, whether they are shown or not. */
  readonly running: number;
  /** Whether the tree shows a countdown in seconds. */
  readonly counting: boolean;
  /** A description of the filter, if not everything is shown. */
  readonly filter: string | undefined;
  readonly elsewhere: Elsewhere;
}

export const EMPTY_TREE: TreeModel = {
  environments: [],
  engines: [],
  groups: [],
  running: 0,
  counting: false,
  filter: undefined,
  elsewhere: USUAL_ARRANGEMENT.elsewhere,
};

interface TreeOptions {
  /** This machine first. They are shown as soon as another environment is in use. */
  readonly environments?: readonly EnvironmentSnapshot[];
  readonly engines?: readonly ListedEngine[];
  readonly batches?: readonly BatchRest[];
  /** The rows that need not be made again. */
  readonly made?: SessionRows;
  readonly arrangement?: Arrangement;
  /** The folders of this window. Without folders all sessions are its own. */
  readonly folders?: WindowFolders;
  /** The ids of the sessions whose end people want to be told of. */
  readonly notifying?: ReadonlySet<string>;
  /** The places of the sessions, from the same look at the clock as `now`. */
  readonly places?: ReadonlyMap<string, SessionPlace>;
}

/** @param sessions Oldest first, as the list has them. */
export function treeModel(
  sessions: readonly SessionSnapshot[],
  now: number,
  l10n: Localizer,
  options: TreeOptions = {},
): TreeModel {
  const {
    environments = [],
    engines = [],
    batches = [],
    made = new SessionRows(),
    arrangement = USUAL_ARRANGEMENT,
    notifying = new Set(),
    folders,
  } = options;
  const places = options.places ?? new PlaceBook().look(sessions, now).places;
  const { grouping, filter, pinned } = arrangement;
  const atTop: Placed[] = [];
  const inBatches: Placed[] = [];
  const batched = new Set(currentOf(sessions));
  const elsewhere: Placed[] = [];
  const others: Placed[] = [];
  const isElsewhere = (session: SessionSnapshot) =>
    folders !== undefined && isApart(session, arrangement, folders);
  for (const session of isFiltering(filter) ? sessions.filter((one) => passes(one, filter)) : sessions) {
    const place = places.get(session.id);
    if (place !== undefined) {
      const list = pinned.has(session.id)
        ? atTop
        : batched.has(session)
          ? inBatches
          : isElsewhere(session)
            ? elsewhere
            : others;
      list.push({ session, place });
    }
  }
  const remote = usesOthers(sessions, environments);
  const folderOf = (session: SessionSnapshot) =>
    grouping === 'folder' && !pinned.has(session.id) ? undefined : folders?.nameable(session);
  const making = (mayName: boolean, inBatch = false): GroupMaking => {
    const namesEnvironment = mayName && remote;
    return {
      rowOf: ({ session, place }) =>
        made.rowOf(session, now, l10n, {
          namesEnvironment: namesEnvironment && session.environment.id !== LOCAL_ID,
          inBatch,
          folder: folderOf(session),
          held: place.held,
          pinned: pinned.has(session.id),
          notifies: notifying.has(session.id),
        }),
      filtering: isFiltering(filter),
      namesEnvironment,
      made,
      l10n,
    };
  };
  const labelOf = (id: string) => environments.find((environment) => environment.id === id)?.label ?? id;
  const common = {
    running: sessions.filter((session) => stageOf(session) === 'running').length,
    counting:
      environments.some(({ state }) => state.kind === 'recovering') ||
      sessions.some(({ recovering }) => recovering !== undefined),
    filter: filterText(filter, labelOf, l10n),
    elsewhere: arrangement.elsewhere,
  };
  const batchRests = isFiltering(filter) ? [] : batches;
  const top = [
    ...pinnedGroup(atTop, making(true)),
    ...batchGroups(inBatches, batchRests, making(false, true)),
  ];
  const apart = (environment?: string) => elsewhereGroup(elsewhere, environment, making(false));
  if (grouping === 'owner' || grouping === 'folder') {
    return {
      ...{ environments: [], engines: [] },
      groups: [...top, ...otherGroups(grouping, others, making(true)), ...apart()],
      ...common,
    };
  }
  const own = byKey(others, ({ session }) => session.environment.id);
  const groupsOf = (id: string) => stageGroups(own.get(id) ?? [], id, making(false));
  const shownEngines = treeEngines(engines, {
    known: environments,
    used: [...own.keys()],
    filtering: isFiltering(filter),
    ...{ groupsOf, made, now, l10n },
  });
  if (!remote && grouping !== 'environment') {
    return {
      environments: [],
      engines: shownEngines,
      groups: [...top, ...stageGroups(others, undefined, making(false)), ...apart()],
      ...common,
    };
  }
  const isShown = (id: string) =>
    !isFiltering(filter) || own.has(id) || (id === LOCAL_ID && elsewhere.length > 0);
  const engineIds = new Set(engines.map(({ definition: { id } }) => id));
  const all = allEnvironments(sessions, environments).filter(
    ({ id }) => isShown(id) && !engineIds.has(engineIdOf(id) ?? ''),
  );
  return {
    environments:
      sessions.length === 0 && !remote
        ? []
        : all.map((environment) => ({
            row: environmentRow(environment, now, l10n),
            groups: [...groupsOf(environment.id), ...(environment.id === LOCAL_ID ? apart(LOCAL_ID) : [])],
          })),
    engines: shownEngines,
    groups: top,
    ...common,
  };
}

/** Whether anything but this machine is in use. */
function usesOthers(
  sessions: readonly SessionSnapshot[],
  environments: readonly EnvironmentSnapshot[],
): boolean {
  return (
    environments.some(({ id, state }) => id !== LOCAL_ID && state.kind !== 'disconnected') ||
    sessions.some(({ environment }) => environment.id !== LOCAL_ID)
  );
}

/** All environments, and those that only sessions remember. */
function allEnvironments(
  sessions: readonly SessionSnapshot[],
  environments: readonly EnvironmentSnapshot[],
): readonly EnvironmentSnapshot[] {
  const known = new Set(environments.map(({ id }) => id));
  const remembered = new Map(
    sessions
      .filter(({ environment }) => !known.has(environment.id))
      .map(({ environment }) => [environment.id, gone(environment)]),
  );
  return [...environments, ...remembered.values()];
}

/** A forgotten environment that still has sessions. */
function gone({ id, label }: SessionSnapshot['environment']): EnvironmentSnapshot {
  return { id, label, kind: 'command', target: '', state: { kind: 'disconnected' }, removed: true };
}
