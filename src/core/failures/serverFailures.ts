import { describeLoss, disconnectedText, type LossReason } from '../process/connectionState.js';
import type { Localizer } from '../localizer.js';
import {
  type FailureForms,
  internal,
  invalidRequest,
  NOT_SAID,
  type OfProcess,
  type WithReason,
} from './failureForm.js';

/** A feature that not every server has. */
type ServerFeature =
  | 'resize'
  | 'closeStdin'
  | 'signal'
  | 'inputMode'
  | 'inputWait'
  | 'portProbe'
  | 'listeners'
  | 'usage'
  | 'outputTimes'
  | 'survivors'
  | 'metadata'
  | 'startedWith'
  | 'sandbox';

/** Failures that only a server on another machine, or the connection to it, can cause. */
export interface ServerFailures {
  disconnected: { readonly reason: LossReason };
  startInterrupted: OfProcess & { readonly reason: LossReason };
  unsupported: { readonly feature: ServerFeature };
  noAnswer: { readonly method: string; readonly seconds: number };
  /** `reason` is a sentence. */
  badAnswer: WithReason;
  refusedByServer: WithReason;
  tooManyProcesses: { readonly count: number; readonly limit: number };
  processRemoved: OfProcess;
  listTooLarge: { readonly limitBytes: number };
  inputFull: OfProcess & { readonly limitBytes: number };
}

export const SERVER_FORMS: FailureForms<ServerFailures> = {
  disconnected: {
    code: internal,
    wire: ({ reason }) => disconnectedText(reason),
    members: NOT_SAID,
    words: ({ reason }, l10n) =>
      l10n.t('The connection to the exec-server was lost: {0}.', describeLoss(reason, l10n)),
  },
  startInterrupted: {
    code: internal,
    wire: ({ reason }) => disconnectedText(reason),
    members: NOT_SAID,
    words: ({ processId, reason }, l10n) =>
      l10n.t(
        'The connection was lost while "{0}" was starting ({1}). If it did start, it is ended. Start it again.',
        processId,
        describeLoss(reason, l10n),
      ),
  },
  unsupported: {
    code: invalidRequest,
    wire: ({ feature }) => `the exec-server does not support ${feature}`,
    members: NOT_SAID,
    words: ({ feature }, l10n) => describeUnsupported(feature, l10n),
  },
  noAnswer: {
    code: internal,
    wire: ({ method, seconds }) => `no answer to ${method} within ${seconds} s`,
    members: NOT_SAID,
    words: ({ seconds }, l10n) =>
      l10n.t('The exec-server did not answer within {0} seconds. Try again.', seconds),
  },
  badAnswer: {
    code: internal,
    wire: ({ reason }) => reason,
    members: NOT_SAID,
    words: ({ reason }, l10n) => l10n.t('The answer of the exec-server cannot be understood. {0}', reason),
  },
  refusedByServer: {
    code: internal,
    wire: ({ reason }) => reason,
    members: NOT_SAID,
    words: ({ reason }, l10n) => l10n.t('The exec-server refused: {0}.', reason),
  },
  tooManyProcesses: {
    code: internal,
    wire: ({ count, limit }) => `the exec-server lists ${count} processes, more than ${limit}`,
    members: NOT_SAID,
    words: ({ count, limit }, l10n) =>
      l10n.t(
        'The exec-server lists {0} processes, more than the {1} that can be looked through. End some of them there, or restart the exec-server, and connect again.',
        count,
        limit,
      ),
  },
  processRemoved: {
    code: invalidRequest,
    wire: ({ processId }) => `process ${processId} was removed`,
    members: NOT_SAID,
    words: ({ processId }, l10n) =>
      l10n.t(
        '"{0}" was removed from the list of its exec-server before all of its output had arrived.',
        processId,
      ),
  },
  listTooLarge: {
    code: internal,
    wire: ({ limitBytes }) => `the list of processes is larger than ${limitBytes} bytes, ask for it in pages`,
    members: { limitBytes: 'number' },
    words: ({ limitBytes }, l10n) =>
      l10n.t(
        'The list of processes on the exec-server is larger than the {0} MiB that are allowed, since their commands are very long. End some of them there, or restart the exec-server, and connect again.',
        Math.ceil(limitBytes / 1024 / 1024),
      ),
  },
  inputFull: {
    code: invalidRequest,
    wire: ({ processId, limitBytes }) =>
      `more than ${limitBytes} bytes wait for the stdin of process ${processId}`,
    members: NOT_SAID,
    words: ({ processId, limitBytes }, l10n) =>
      l10n.t(
        '"{0}" takes no more input for now: {1} bytes are waiting for it already. Try again later.',
        processId,
        limitBytes,
      ),
  },
};

function describeUnsupported(feature: ServerFeature, l10n: Localizer): string {
  switch (feature) {
    case 'resize':
      return l10n.t('This exec-server cannot change the size of a terminal.');
    case 'closeStdin':
      return l10n.t('This exec-server cannot close the standard input of a process.');
    case 'signal':
      return l10n.t('This exec-server can only interrupt and kill; it sends no other signal.');
    case 'inputMode':
      return l10n.t('This exec-server cannot tell how a terminal takes input.');
    case 'inputWait':
      return l10n.t('This exec-server cannot tell whether a program waits for input.');
    case 'portProbe':
      return l10n.t('This exec-server cannot tell whether something listens at a port.');
    case 'listeners':
      return l10n.t('This exec-server cannot tell who listens at a port.');
    case 'usage':
      return l10n.t('This exec-server cannot tell what a process uses.');
    case 'outputTimes':
      return l10n.t('This exec-server cannot tell when output came.');
    case 'survivors':
      return l10n.t('This exec-server cannot tell what a process has left behind.');
    case 'metadata':
      return l10n.t('This exec-server cannot store a name or a mark with a running process.');
    case 'startedWith':
      return l10n.t('This exec-server cannot tell what a process was started with.');
    case 'sandbox':
      return l10n.t(
        'This exec-server cannot run a command in a sandbox. Ask for none, or use another server.',
      );
  }
}
