import { ownerName, type Sighting, spanText } from '../../core/index.js';
import type { Console, Line, Painted } from '../console.js';
import { tableLines } from './table.js';

const HEAD = ['PID', 'SINCE', 'OWNER', 'PORTS', 'HOW', 'COMMAND'];

/** The processes that are no sessions, each agent before what it has started. Its helpers are counted. */
export function otherLines(console: Console, sightings: readonly Sighting[]): readonly Line[] {
  const now = console.clock.wallTime();
  const agents = new Set(sightings.flatMap(({ kind, pid }) => (kind === 'agent' ? pid : [])));
  const isCounted = ({ kind, owner }: Sighting) =>
    kind === 'helper' && owner?.pid !== undefined && agents.has(owner.pid);
  const group = ({ kind, pid, owner }: Sighting) => owner?.pid ?? (kind === 'agent' ? pid : Infinity);
  const shown = sightings
    .filter((one) => one.end === undefined && !isCounted(one))
    .sort((one, other) => group(one) - group(other) || (one.startedAt ?? 0) - (other.startedAt ?? 0));
  const rows = shown.map((one): readonly Painted[] => {
    const helpers = sightings.filter((other) => isCounted(other) && other.owner?.pid === one.pid).length;
    return [
      { text: String(one.pid) },
      { text: sinceText(one, now) },
      { text: ownerText(one) },
      { text: portsText(one) },
      { text: one.handedOver ? 'handed over' : 'seen' },
      { text: helpers === 0 ? one.command : `${one.command} (with ${helpers} helpers)` },
    ];
  });
  return rows.length === 0
    ? []
    : [[{ text: 'Other processes', colour: 'bold' }], ...tableLines(console, HEAD, rows)];
}

export function sinceText({ startedAt }: Pick<Sighting, 'startedAt'>, now: number): string {
  return startedAt === undefined ? '?' : spanText(now - startedAt);
}

export function portsText({ ports }: Pick<Sighting, 'ports'>): string {
  return ports === undefined ? '?' : ports.join(', ') || '-';
}

function ownerText({ kind, ...process }: Sighting): string {
  const name = ownerName(process) ?? (kind === 'job' ? 'you' : kind === 'agent' ? '-' : 'unknown');
  return process.owner?.claimed === true ? `claimed: ${name}` : name;
}
