import { agentName, identityKey, type Localizer, type Sighting } from '../../core/index.js';
import { holderRow, type SessionRow, type SightingFacts, sightingRow } from '../../sessions/words/index.js';
import type { ShellCommand } from '../terminals/shellCommands.js';

/** A row of the group of other processes, or the group itself. */
export interface SightingRow extends SessionRow {
  readonly parent: string;
  /** The ids of the rows below it. */
  readonly below: readonly string[];
  /** Undefined for the group, and for the row above helpers. */
  readonly sighting: SightingFacts | undefined;
}

/** The id of the group. */
export const OTHERS = 'others';

/** The rows by their ids: agents with their commands and helpers, and below them commands without an agent. */
export function sightingTree(
  sightings: readonly Sighting[],
  shellCommands: readonly ShellCommand[],
  now: number,
  l10n: Localizer,
): ReadonlyMap<string, SightingRow> {
  const rows = new Map<string, SightingRow & { readonly below: string[] }>();
  const put = (parent: string, row: SessionRow, sighting?: SightingFacts) => {
    rows.get(parent)?.below.push(row.id);
    rows.set(row.id, { ...row, parent, below: [], sighting });
  };
  const putAll = (parent: string, some: readonly Sighting[]) =>
    some.forEach((one) => put(parent, sightingRow(identityKey(one), one, parent !== OTHERS, now, l10n), one));
  const newest = sightings.toSorted((one, other) => (other.startedAt ?? 0) - (one.startedAt ?? 0));
  const agents = newest.filter(({ kind }) => kind === 'agent');
  const commands = new Set(newest.filter(({ kind }) => kind !== 'agent'));
  put('', holderRow(OTHERS, l10n.t('Other Processes'), 'server-process', []));
  for (const agent of agents) {
    const its = [...commands].filter(({ owner }) => owner?.pid === agent.pid);
    its.forEach((one) => commands.delete(one));
    const helpers = its.filter(({ kind }) => kind === 'helper');
    const id = identityKey(agent);
    const [name] = its.flatMap(({ owner }) => owner?.agents ?? []);
    const named = name === undefined ? agent : { ...agent, command: agentName(name) };
    put(OTHERS, sightingRow(id, named, its.length - helpers.length, now, l10n), agent);
    putAll(
      id,
      its.filter(({ kind }) => kind !== 'helper'),
    );
    if (helpers.length > 0) {
      const label = helpers.length === 1 ? l10n.t('1 helper') : l10n.t('{0} helpers', helpers.length);
      put(id, holderRow(`${id} helpers`, label, 'plug', helpers));
      putAll(`${id} helpers`, helpers);
    }
  }
  const running = new Set(
    shellCommands.flatMap(({ shellPid, end }) => (end === undefined ? [shellPid] : [])),
  );
  putAll(
    OTHERS,
    [...commands].filter(({ kind, sid }) => kind !== 'job' || !running.has(sid)),
  );
  for (const { id, command, cwd, shellPid, startedAt, end } of shellCommands) {
    if (end !== undefined || !agents.some(({ sid }) => sid === shellPid)) {
      const facts = { kind: 'job', handedOver: false, command, cwd, startedAt, end } as const;
      put(OTHERS, sightingRow(id, facts, false, now, l10n), facts);
    }
  }
  return rows.size > 1 ? rows : new Map();
}
