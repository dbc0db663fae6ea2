import type { Claim } from './measurement.js';

/**
 * The bounds of `npm run bench:check`. These are no goals: the goals are with the measurements. They are as generous as
 * they can be and still catch what once went wrong, or is likely to: a second copy, a process for each start, a timer
 * that is waited for, packets that wait for each other, a library that crept into the extension.
 */
export interface Bound extends Claim {
  readonly measurement: string;
  /** The kind of mistake that breaks the bound, and the reason for its value. */
  readonly reason: string;
}

const start = { quantity: 'start', statistic: 'p50' } as const;
const rate = { quantity: 'rate', statistic: 'p50' } as const;
const cpu = { quantity: 'cpu', statistic: 'p50' } as const;
const size = { measurement: 'sizes', quantity: 'size', statistic: 'p50' } as const;

export const bounds: readonly Bound[] = [
  {
    ...start,
    measurement: 'start-pipes',
    of: 'ours-ws',
    to: 'raw',
    atMost: 3,
    reason: 'A start that waits for another turn, process or timer; goal 1.3',
  },
  {
    ...start,
    measurement: 'start-pipes',
    of: 'ours-ws',
    to: 'codex',
    atMost: 0.5,
    reason: 'The same, beside a peer whose start takes 48 ms',
  },
  {
    ...start,
    measurement: 'start-pipes',
    of: 'local',
    to: 'raw',
    atMost: 2.5,
    reason: 'Work at each start in the extension host; goal 1.2',
  },
  {
    ...start,
    measurement: 'start-terminal',
    of: 'ours-ws',
    to: 'raw',
    atMost: 3,
    reason: 'As for pipes, and a close of the terminal that is noticed late; goal 1.3',
  },
  {
    quantity: 'echo',
    statistic: 'p50',
    measurement: 'echo',
    of: 'ours-ws',
    to: 'codex',
    atMost: 0.2,
    reason: "Output that waits to be coalesced, or Nagle's algorithm (40 ms); goal 0.01",
  },
  {
    ...rate,
    measurement: 'throughput-pipes',
    of: 'ours-ws',
    to: 'codex',
    atLeast: 0.5,
    reason: 'A second encoding or copy of the output; goal 1',
  },
  {
    ...rate,
    measurement: 'throughput-pipes',
    of: 'ours-ws',
    to: 'raw',
    atLeast: 0.2,
    reason: 'The same; on a busy machine a server loses more than raw, which needs one core less; goal 0.4',
  },
  {
    ...cpu,
    measurement: 'throughput-pipes',
    of: 'ours-ws',
    to: 'codex',
    atMost: 3,
    reason: 'The same as processor time, which other work on the machine disturbs less',
  },
  {
    ...rate,
    measurement: 'throughput-pipes',
    of: 'local',
    to: 'raw',
    atLeast: 0.4,
    reason: 'A copy on the way into the log; goal 0.9',
  },
  {
    ...rate,
    measurement: 'throughput-pipes',
    of: 'client-unix',
    to: 'raw',
    atLeast: 0.12,
    reason: 'Our own client reading slowly; goal 0.7, with binary frames',
  },
  {
    ...rate,
    measurement: 'throughput-terminal',
    of: 'ours-ws',
    to: 'codex',
    atLeast: 0.5,
    reason: 'A message for each small read of a terminal; goal 1',
  },
  {
    ...cpu,
    measurement: 'throughput-terminal',
    of: 'ours-ws',
    to: 'codex',
    atMost: 3,
    reason: 'The same as processor time',
  },
  {
    ...rate,
    measurement: 'throughput-terminal',
    of: 'local',
    to: 'raw',
    atLeast: 0.5,
    reason: 'More than one copy of what a terminal says; goal 0.95',
  },
  {
    quantity: 'latency',
    statistic: 'p99',
    measurement: 'many',
    of: 'ours-ws',
    to: 'codex',
    atMost: 5,
    reason:
      'Lines that wait for each other, or for a timer; of a busy machine this is mostly noise; goal 0.25',
  },
  {
    ...cpu,
    measurement: 'many',
    of: 'ours-ws',
    to: 'codex',
    atMost: 3,
    reason: 'The same, as processor time; goal 1.3',
  },
  {
    quantity: 'memory',
    statistic: 'p50',
    measurement: 'many',
    of: 'ours-ws',
    to: 'codex',
    atMost: 3,
    reason: 'A buffer for each process; goal 1',
  },
  {
    quantity: 'tree',
    statistic: 'p50',
    measurement: 'ended',
    of: 'local',
    atMost: 300,
    reason: 'A tree in the square of its rows would take seconds; goal 100 ms at p99',
  },
  {
    quantity: 'memory',
    statistic: 'p50',
    measurement: 'ended',
    of: 'local',
    atMost: 20,
    reason: 'What an ended session may cost; it does not depend on the machine',
  },
  {
    ...size,
    of: 'extension.js',
    atMost: 400,
    reason: 'A library that crept in; does not depend on the machine',
  },
];
