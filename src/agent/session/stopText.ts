import { oneLine, type StopReport, type StopStep, type Survivor } from '../../core/index.js';

const STEP_TEXT: Readonly<Record<StopStep, string>> = {
  interrupt: 'interrupted',
  hangup: 'hung up',
  terminate: 'told to terminate',
  kill: 'killed',
};

/** The number of survivors that are named; further ones are only counted. */
const NAMED_SURVIVORS = 20;

/**
 * The effect of a stop, in words.
 *
 * @param options.wholeLadder Whether the backend can take every step and knows the survivors.
 * @param options.seesDetached Whether it finds survivors that have made POSIX sessions of their own.
 * @param options.outputOpen Whether the command has ended, but a process that it has left running holds its output.
 * @param options.cancelled Whether the call was cancelled before the stop was over.
 */
export function stopText(
  report: StopReport,
  options: {
    readonly wholeLadder: boolean;
    readonly seesDetached: boolean;
    readonly cancelled: boolean;
    readonly outputOpen: boolean;
  },
): string {
  const { running, steps, exited, survivors } = report;
  const facts: string[] = [];
  const known = options.wholeLadder && options.seesDetached && report.survivorsUnknown !== true;
  if (!running) {
    facts.push(
      options.outputOpen || survivors.length > 0 || !known
        ? 'the command itself had ended already'
        : 'nothing was running any more that can be recognised',
    );
  } else {
    facts.push(
      steps.length === 0 ? 'nothing was sent' : steps.map((step) => STEP_TEXT[step]).join(', then '),
    );
    facts.push(
      exited ? 'it has ended' : options.cancelled ? 'the stop was cancelled there' : 'IT HAS NOT ENDED',
    );
  }
  const outside = survivors.filter(({ why }) => why === 'otherSession');
  const left = survivors.filter(({ why }) => why === 'stillRunning');
  if (left.length > 0) {
    facts.push(`still running: ${namedSurvivors(left)}`);
  }
  if (outside.length > 0) {
    facts.push(
      `not reached, because it made its own POSIX session, and still running: ${namedSurvivors(outside)} (may be meant to go on; stop_session with pid ends one)`,
    );
  }
  if (options.outputOpen) {
    facts.push('something still holds its output open');
  }
  if (report.survivorsUnknown === true) {
    facts.push(
      'its leftover processes cannot be known, because the processes of its machine cannot be listed now (is /proc mounted?)',
    );
  }
  if (options.wholeLadder && !options.seesDetached) {
    facts.push('detached processes cannot be seen on its machine');
  }
  if (!options.wholeLadder) {
    facts.push(
      'this server can only interrupt and kill, and does not tell which processes the command has left behind',
    );
  }
  return facts.join('; ');
}

/** The effect of ending one process that a session has left running, in words. */
export function endText(survivor: Survivor, { running, steps, exited }: StopReport): string {
  const name = namedSurvivors([survivor]);
  const sent = steps.map((step) => STEP_TEXT[step]).join(', then ');
  return running
    ? `${name}: ${sent}; ${exited ? 'it has ended' : 'IT HAS NOT ENDED'}; nothing else was touched`
    : `${name} had ended already`;
}

/** Names processes that a session has left running. */
export function namedSurvivors(
  survivors: readonly Pick<Survivor, 'pid' | 'command'>[],
  most = NAMED_SURVIVORS,
): string {
  const names = survivors.slice(0, most).map(({ command, pid }) => `${oneLine(command, 60)} (pid ${pid})`);
  const more = survivors.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
