import type { ExitStatus, Localizer, StopReport, StopStep } from '../../core/index.js';
import { survivorNames } from './survivorNames.js';
import { nameInMessage } from './text.js';

/** The outcome of a stop, for people. A `warning` says what they may have to stop themselves. */
export interface StopText {
  readonly kind: 'done' | 'warning';
  readonly text: string;
}

interface StopTextOptions {
  readonly asked: 'stop' | 'kill';
  readonly cancelled: boolean;
  readonly blind?: boolean;
  readonly exit?: ExitStatus | undefined;
  readonly l10n: Localizer;
}

/**
 * @param options.asked The user's request: the whole ladder, or its last step alone.
 * @param options.cancelled Whether the user ended the ladder before its end.
 * @param options.blind Whether the server cannot tell which processes the session has left behind.
 * @param options.exit The exit of the session's own process, if that is known.
 */
export function stopText(label: string, report: StopReport, options: StopTextOptions): StopText {
  const { l10n } = options;
  const name = nameInMessage(label);
  const facts = [outcome(name, report, options)];
  const left = report.survivors.filter(({ why }) => why === 'stillRunning');
  const outside = report.survivors.filter(({ why }) => why === 'otherSession');
  if (left.length > 0 && !options.cancelled) {
    facts.push(
      left.length === 1
        ? l10n.t('One process did not end: {0}.', survivorNames(left, l10n))
        : l10n.t('{0} processes did not end: {1}.', left.length, survivorNames(left, l10n)),
    );
  }
  if (outside.length > 0) {
    facts.push(
      outside.length === 1
        ? l10n.t(
            'One process had detached itself (setsid) and still runs: {0}.',
            survivorNames(outside, l10n),
          )
        : l10n.t(
            '{0} processes had detached themselves (setsid) and still run: {1}.',
            outside.length,
            survivorNames(outside, l10n),
          ),
    );
  }
  const worry = facts.length > 1 || (report.running && !report.exited);
  if (options.blind === true && report.running && report.exited) {
    facts.push(l10n.t('Its server cannot tell whether processes are left.'));
  }
  if (report.survivorsUnknown === true) {
    facts.push(
      l10n.t('Leftover processes cannot be found: the processes of its machine cannot be listed now.'),
    );
  }
  return { kind: worry ? 'warning' : 'done', text: facts.join(' ') };
}

function outcome(
  name: string,
  report: StopReport,
  { asked, cancelled, exit, l10n }: StopTextOptions,
): string {
  if (!report.running) {
    return l10n.t('"{0}" had already ended.', name);
  }
  const last = report.steps.at(-1);
  if (report.exited) {
    if (asked === 'kill') {
      return l10n.t('Killed "{0}".', name);
    }
    if (last === undefined) {
      return l10n.t('Stopped "{0}".', name);
    }
    // If the session's own process was not ended by SIGKILL, the last step was for its descendants.
    return last === 'kill' && exit !== undefined && exit.signal !== 'SIGKILL'
      ? l10n.t('Stopped "{0}". Its leftover processes had to be killed.', name)
      : l10n.t('Stopped "{0}": {1}.', name, stepText(last, l10n));
  }
  if (cancelled) {
    return last === undefined
      ? l10n.t('Stopping "{0}" was cancelled before anything was sent.', name)
      : l10n.t('Stopping "{0}" was cancelled after this step: {1}.', name, stepText(last, l10n));
  }
  return l10n.t('"{0}" was told to end, but still runs.', name);
}

function stepText(step: StopStep, l10n: Localizer): string {
  switch (step) {
    case 'interrupt':
      return l10n.t('it was interrupted');
    case 'hangup':
      return l10n.t('its terminal hung up');
    case 'terminate':
      return l10n.t('it was told to terminate');
    case 'kill':
      return l10n.t('it was killed');
  }
}
