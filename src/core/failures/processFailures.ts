import { english, type Localizer } from '../localizer.js';
import {
  type FailureForms,
  internal,
  invalidParams,
  invalidRequest,
  NOT_SAID,
  type Nothing,
  type OfProcess,
  type WithReason,
} from './failureForm.js';

/**
 * Why a machine has no terminals (node-pty makes them). The module is missing, was built for another system or C
 * library, may not be executed, or has an unknown version.
 */
export type TerminalTrouble = 'missing' | 'unsuitable' | 'forbidden' | 'unusable';

/** Failures of a process: something that it, or its machine, lacks or cannot do. Every backend has them. */
export interface ProcessFailures {
  writeFailed: OfProcess;
  lineTooLong: { readonly limitBytes: number };
  noTerminal: OfProcess;
  processRunning: OfProcess;
  metadataTooLarge: OfProcess & { readonly limit: number };
  noStdinPipe: OfProcess;
  noInterrupt: OfProcess;
  badSize: { readonly columns: number; readonly rows: number };
  unknownSignal: { readonly name: string };
  badPort: { readonly port: number };
  /** `reason` is a {@link TerminalTrouble}, or the words of a server that knows another one. */
  noTerminals: WithReason;
  noBash: Nothing;
  noSurvivor: { readonly pid: number };
  noProcessTable: Nothing;
  shutDown: Nothing;
}

export const PROCESS_FORMS: FailureForms<ProcessFailures> = {
  writeFailed: {
    code: internal,
    wire: () => 'failed to write to process stdin',
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('Nothing can be written to "{0}": it takes no more input.', processId),
  },
  lineTooLong: {
    code: invalidRequest,
    wire: ({ limitBytes }) => `a line is longer than the ${limitBytes} bytes that the terminal takes`,
    members: { limitBytes: 'number' },
    words: ({ limitBytes }, l10n) =>
      l10n.t(
        'The input was refused, because this terminal cuts lines after {0} bytes. Send shorter lines, or run the command without a terminal.',
        limitBytes,
      ),
  },
  noTerminal: {
    code: invalidRequest,
    wire: () => 'process is not attached to a PTY',
    members: { processId: 'string' },
    words: ({ processId }, l10n) => l10n.t('"{0}" has no size: it runs without a terminal.', processId),
  },
  processRunning: {
    code: invalidRequest,
    wire: ({ processId }) => `process ${processId} has not exited`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) => l10n.t('"{0}" cannot be removed: it runs. Stop it first.', processId),
  },
  metadataTooLarge: {
    code: invalidParams,
    wire: ({ limit }) => `the metadata would be larger than ${limit} characters`,
    members: { processId: 'string', limit: 'number' },
    words: ({ processId, limit }, l10n) =>
      l10n.t(
        'The text cannot be stored with "{0}": together with its other texts it would exceed {1} characters. Use a shorter text.',
        processId,
        limit,
      ),
  },
  noStdinPipe: {
    code: invalidRequest,
    wire: () => 'process has no stdin pipe',
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('The standard input of "{0}" cannot be closed: it was started without one.', processId),
  },
  noInterrupt: {
    code: invalidRequest,
    wire: () => 'process is not attached to a PTY, and Windows interrupts nothing else',
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t(
        '"{0}" cannot be interrupted: it runs without a terminal, and Windows has no other way to send Ctrl-C. Stop or kill it.',
        processId,
      ),
  },
  badSize: {
    code: invalidParams,
    wire: () => 'terminal size must be positive',
    members: { columns: 'number', rows: 'number' },
    words: ({ columns, rows }, l10n) =>
      l10n.t(
        'A terminal cannot have {0} columns and {1} rows: both must be whole numbers from 1 to 65535.',
        columns,
        rows,
      ),
  },
  unknownSignal: {
    code: invalidParams,
    wire: ({ name }) => `unknown signal ${name}`,
    members: { name: 'string' },
    words: ({ name }, l10n) => l10n.t('There is no signal called "{0}" on this machine.', name),
  },
  badPort: {
    code: invalidParams,
    wire: ({ port }) => `port must be a whole number from 1 to 65535, got ${port}`,
    members: { port: 'number' },
    words: ({ port }, l10n) =>
      l10n.t('There is no port {0}: it must be a whole number from 1 to 65535.', port),
  },
  noTerminals: {
    code: internal,
    wire: ({ reason }) => `terminals are not available: ${describeTrouble(reason, english)}`,
    members: { reason: 'string' },
    words: ({ reason }, l10n) =>
      l10n.t(
        'Terminals are not available on that machine: {0}; start the command with pipes.',
        describeTrouble(reason, l10n),
      ),
  },
  noBash: {
    code: internal,
    wire: () => 'arg0 for a terminal needs bash',
    members: {},
    words: (_, l10n) =>
      l10n.t('Only bash can give a program in a terminal another name, and bash is not installed here.'),
  },
  noSurvivor: {
    code: invalidRequest,
    wire: ({ pid }) => `process ${pid} has not been named as left behind`,
    members: { pid: 'number' },
    words: ({ pid }, l10n) =>
      l10n.t(
        'Process {0} is not a leftover process of this session. List its leftover processes again.',
        pid,
      ),
  },
  noProcessTable: {
    code: internal,
    wire: () => 'the processes of this machine cannot be listed',
    members: {},
    words: (_, l10n) =>
      l10n.t(
        'Leftover processes cannot be found: that machine does not list its processes (is /proc mounted?).',
      ),
  },
  shutDown: {
    code: invalidRequest,
    wire: () => 'backend is shut down',
    // From a server, this failure would be about that server, and not about this window.
    members: NOT_SAID,
    words: (_, l10n) => l10n.t('The backend has been shut down; nothing can be started any more.'),
  },
};

function describeTrouble(reason: string, l10n: Localizer): string {
  switch (reason as TerminalTrouble) {
    case 'missing':
      return l10n.t('node-pty, which makes them, is not installed for this system');
    case 'unsuitable':
      return l10n.t('node-pty, which makes them, was built for another system or C library');
    case 'forbidden':
      return l10n.t('node-pty, which makes them, may not be executed there');
    case 'unusable':
      return l10n.t('node-pty, which makes them, cannot be used');
    default:
      return reason.split('\n', 1)[0] ?? '';
  }
}
