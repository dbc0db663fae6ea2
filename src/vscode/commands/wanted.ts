import * as vscode from 'vscode';

import type { SessionSnapshot } from '../../sessions/list/index.js';
import {
  canBeGivenBack,
  canBeKept,
  canBeLeftAlone,
  canKeepOutput,
  canBeTaken,
  canCloseInput,
  takesInput,
} from '../../sessions/words/index.js';
import type { Wanted } from './sessionTargets.js';

const hasProcess = (session: SessionSnapshot) => session.state !== 'starting';
const isRunning = (session: SessionSnapshot) => session.state === 'running';
const hasEnded = (session: SessionSnapshot) => session.state !== 'starting' && session.state !== 'running';

/** Whether the session may have processes to stop, including leftover processes. */
export const canBeStopped = (session: SessionSnapshot) =>
  (session.state !== 'closed' && session.state !== 'lost') ||
  session.survivors?.some(({ why }) => why === 'stillRunning') === true;

const noSessions = () => vscode.l10n.t('There are no sessions yet. Start one with New Session.');
const noneRunning = () => vscode.l10n.t('No session is running.');

/**
 * The sessions that each command can be used on, and its texts. The entries are functions, since the language is not
 * known when this file is loaded.
 */
export const wanted = {
  open: (question: string): Wanted => ({
    suits: hasProcess,
    question,
    none: noSessions(),
    unsuitable: (name) => vscode.l10n.t('"{0}" is still starting. Try again in a moment.', name),
  }),
  stop: (): Wanted => ({
    suits: canBeStopped,
    question: vscode.l10n.t('Stop'),
    byPort: true,
    none: noneRunning(),
    unsuitable: (name) => vscode.l10n.t('"{0}" has ended already; there is nothing to stop.', name),
  }),
  kill: (): Wanted => ({
    suits: canBeStopped,
    question: vscode.l10n.t('Kill'),
    byPort: true,
    none: noneRunning(),
    unsuitable: (name) => vscode.l10n.t('"{0}" has ended already; there is nothing to kill.', name),
  }),
  leftover: (): Wanted => ({
    suits: (session) => hasEnded(session) && session.state !== 'lost',
    question: vscode.l10n.t('End Leftover Process'),
    none: vscode.l10n.t('No session has ended, so there are no leftover processes.'),
    unsuitable: (name, session) =>
      session.state === 'lost'
        ? vscode.l10n.t('"{0}" is lost; its leftover processes cannot be found.', name)
        : vscode.l10n.t('"{0}" is still running. Stop it first.', name),
  }),
  signal: (): Wanted => ({
    suits: isRunning,
    question: vscode.l10n.t('Send Signal'),
    none: noneRunning(),
    unsuitable: (name) => vscode.l10n.t('"{0}" is not running; there is nothing to send a signal to.', name),
  }),
  text: (): Wanted => ({
    suits: (session) => isRunning(session) && takesInput(session),
    question: vscode.l10n.t('Send Text'),
    none: vscode.l10n.t('No session is running that takes input.'),
    unsuitable: (name, session) =>
      isRunning(session) && session.inputClosed === true
        ? vscode.l10n.t('"{0}" takes no input: its standard input is closed.', name)
        : vscode.l10n.t('"{0}" takes no input: it has ended, or was started without input.', name),
  }),
  closeInput: (): Wanted => ({
    suits: (session) => isRunning(session) && canCloseInput(session),
    question: vscode.l10n.t('Close Standard Input'),
    none: vscode.l10n.t('No session is running whose input can be closed.'),
    unsuitable: (name, session) =>
      isRunning(session) && session.inputClosed === true
        ? vscode.l10n.t('The standard input of "{0}" is closed already.', name)
        : isRunning(session) && takesInput(session)
          ? vscode.l10n.t('The standard input of "{0}" cannot be closed: its server cannot do that.', name)
          : vscode.l10n.t('"{0}" has no input to close: it has ended, or was started without input.', name),
  }),
  takeControl: (): Wanted => ({
    suits: canBeTaken,
    question: vscode.l10n.t('Take Control'),
    none: vscode.l10n.t('No agent controls a session that is running.'),
    unsuitable: (name, session) =>
      isRunning(session)
        ? vscode.l10n.t('You control "{0}" already.', name)
        : vscode.l10n.t('"{0}" is not running; there is nothing to take control of.', name),
  }),
  giveBackControl: (): Wanted => ({
    suits: canBeGivenBack,
    question: vscode.l10n.t('Give Back Control'),
    none: vscode.l10n.t('You control no running session of an agent.'),
    unsuitable: (name, session) =>
      session.controller === undefined
        ? vscode.l10n.t('"{0}" was not started by an agent: there is nobody to give it back to.', name)
        : isRunning(session)
          ? vscode.l10n.t('The agent of "{0}" controls it already.', name)
          : vscode.l10n.t('"{0}" is not running; there is nothing to give back.', name),
  }),
  keepRunning: (): Wanted => ({
    suits: canBeKept,
    question: vscode.l10n.t('Keep Running'),
    none: vscode.l10n.t('No running session of an agent would end soon without a window.'),
    unsuitable: (name, session) => {
      if (!isRunning(session)) {
        return vscode.l10n.t('"{0}" is not running; there is nothing to keep running.', name);
      }
      if (session.owned !== true) {
        return vscode.l10n.t('"{0}" cannot be kept running: no session server runs it.', name);
      }
      return session.keep === true
        ? vscode.l10n.t('"{0}" is kept running already.', name)
        : vscode.l10n.t(
            '"{0}" was not started by an agent, so it keeps running without a window anyway.',
            name,
          );
    },
  }),
  doNotKeepRunning: (): Wanted => ({
    suits: canBeLeftAlone,
    question: vscode.l10n.t('Do Not Keep Running'),
    none: vscode.l10n.t("No agent's session is kept running."),
    unsuitable: (name) => vscode.l10n.t('"{0}" is not kept running.', name),
  }),
  keepOutput: (): Wanted => ({
    suits: canKeepOutput,
    question: vscode.l10n.t('Keep Output on Disk'),
    none: vscode.l10n.t('No session is running whose output could be kept on disk.'),
    unsuitable: (name, session) =>
      session.outputOnDisk === 'kept'
        ? vscode.l10n.t('The output of "{0}" is kept on disk already.', name)
        : session.outputOnDisk === undefined
          ? vscode.l10n.t('The output of "{0}" cannot be kept on disk: no session server runs it.', name)
          : vscode.l10n.t('"{0}" has ended: there is no more output to keep.', name),
  }),
  doNotKeepOutput: (): Wanted => ({
    suits: ({ outputOnDisk }) => outputOnDisk === 'kept',
    question: vscode.l10n.t('Do Not Keep Output on Disk'),
    none: vscode.l10n.t('The output of no session is kept on disk.'),
    unsuitable: (name) => vscode.l10n.t('The output of "{0}" is not kept on disk.', name),
  }),
  runAgain: (): Wanted => ({
    suits: hasProcess,
    question: vscode.l10n.t('Run Again'),
    none: noSessions(),
    unsuitable: (name) => vscode.l10n.t('"{0}" is still starting. Try again in a moment.', name),
  }),
  restart: (): Wanted => ({
    suits: hasProcess,
    question: vscode.l10n.t('Restart'),
    none: noSessions(),
    unsuitable: (name) => vscode.l10n.t('"{0}" is still starting. Try again in a moment.', name),
  }),
  any: (question: string): Wanted => ({
    suits: () => true,
    question,
    none: noSessions(),
    unsuitable: (name) => name,
  }),
  rename: (): Wanted => ({
    suits: () => true,
    question: vscode.l10n.t('Rename'),
    none: noSessions(),
    unsuitable: (name) => name,
  }),
  notify: (): Wanted => ({
    suits: isRunning,
    question: vscode.l10n.t('Notify When It Ends'),
    none: noneRunning(),
    unsuitable: (name) => vscode.l10n.t('"{0}" has ended already.', name),
  }),
  copy: (): Wanted => ({
    suits: () => true,
    question: vscode.l10n.t('Copy Command Line'),
    none: noSessions(),
    unsuitable: (name) => name,
  }),
  output: (question: string): Wanted => ({
    suits: hasProcess,
    question,
    none: noSessions(),
    unsuitable: (name) => vscode.l10n.t('"{0}" is still starting; it has no output yet.', name),
  }),
  remove: (instead: NonNullable<Wanted['instead']>): Wanted => ({
    suits: hasEnded,
    question: vscode.l10n.t('Remove'),
    none: vscode.l10n.t('No session has ended; there is nothing to remove.'),
    unsuitable: (name) => vscode.l10n.t('"{0}" is still running. Stop it first, then remove it.', name),
    instead,
  }),
} as const;
