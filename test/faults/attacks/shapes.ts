/** A program that is hard to end, or that starts others which outlive it. All live for long, unless they are ended. */
export interface Shape {
  readonly name: string;
  readonly script: string;
  /** A process has detached itself with `setsid`, and goes on when the server dies, as documented. */
  readonly detaches?: boolean;
  /** It exits and leaves others running, which a terminate then leaves alone, as documented. A stop ends them. */
  readonly exits?: boolean;
}

const LONG = 'sleep 1000';

export const shapes: readonly [Shape, ...Shape[]] = [
  { name: 'plain', script: `exec ${LONG}` },
  { name: 'child', script: `${LONG} & wait` },
  { name: 'left behind', script: `${LONG} & exit 0`, exits: true },
  { name: 'ignores signals', script: `trap '' HUP INT TERM QUIT; ${LONG}; ${LONG}` },
  { name: 'starts it again', script: `trap '' HUP INT TERM; while :; do sleep 0.1; done` },
  { name: 'stopped', script: `kill -STOP $$; ${LONG}` },
  { name: 'stopped child', script: `sh -c 'kill -STOP $$; ${LONG}' & wait` },
  { name: 'forked twice', script: `(${LONG} &) ; exit 0`, exits: true },
  // At once would be too early for these two: by its streams the guard knows what the server did not live to name.
  { name: 'closed streams', script: `sleep 0.3; exec <&- >&- 2>&-; ${LONG}; ${LONG}` },
  { name: 'nohup', script: `sleep 0.3; nohup ${LONG} >/dev/null 2>&1 & wait` },
  { name: 'own groups', script: `set -m; ${LONG} & ${LONG} & wait` },
  { name: 'pipeline', script: `yes | cat | ${LONG}` },
  { name: 'flood', script: 'exec yes' },
  { name: 'flood of errors', script: 'yes >&2' },
  { name: 'odd name', script: `exec -a 'x) S 1 (' ${LONG}` },
  { name: 'many', script: `for n in 1 2 3 4 5 6 7 8; do ${LONG} & done; wait` },
  { name: 'deep', script: `sh -c "sh -c 'sh -c \\"${LONG}; :\\"; :'; :"; :` },
  { name: 'detached', script: `setsid ${LONG} & wait`, detaches: true },
];

/** The shapes that run until they are ended. */
export const lasting = shapes.filter(({ detaches, exits }) => detaches !== true && exits !== true) as [
  Shape,
  ...Shape[],
];

const LINES = 100;
const EXIT_CODE = 7;

/** Says the numbers from 0, a line each, and ends with a code of its own. */
export const counting = {
  script: `n=0; while [ $n -lt ${LINES} ]; do echo $n; n=$((n+1)); sleep 0.005; done; exit ${EXIT_CODE}`,
  output: Array.from({ length: LINES }, (_, line) => `${line}\n`).join(''),
  exitCode: EXIT_CODE,
} as const;
