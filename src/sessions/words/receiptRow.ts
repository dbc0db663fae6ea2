import {
  causeText,
  type EndedReceipt,
  type Localizer,
  oneLine,
  type ReceiptCause,
  refusalText,
  sandboxText,
} from '../../core/index.js';
import { byteText } from './quantities.js';
import { LOCAL_ID, type SessionSnapshot } from '../list/index.js';
import { withoutWindowText } from './status.js';
import { sessionLabel, type SessionRow, sessionRow } from './rows.js';
import { survivorNames } from './survivorNames.js';

/** How times are written, for people. */
type FormatTime = (time: number) => string;

/**
 * An earlier session as the tree shows it: like a session that ended in this window, with the facts of its receipt.
 *
 * @param isOutputOnDisk Whether its output can be opened.
 */
export function receiptRow(
  receipt: EndedReceipt,
  now: number,
  l10n: Localizer,
  time: FormatTime,
  isOutputOnDisk = false,
): SessionRow {
  const row = sessionRow(receiptSnapshot(receipt), now, l10n);
  const { left } = receipt;
  const told = receipt.end.kind === 'lost' || isOfHolder(receipt.endedBy);
  const how = receiptEndText(receipt, l10n, time);
  const heard = told ? l10n.t('{0}, {1}', row.label, how) : row.accessibilityLabel;
  return {
    ...row,
    id: `receipt:${receipt.id}`,
    description: [told ? how : row.description, ...leftText(left.length, l10n)].join(' · '),
    accessibilityLabel:
      left.length === 0 ? heard : `${heard}. ${l10n.t('It left {0} running', survivorNames(left, l10n))}`,
    contextValue: isOutputOnDisk ? ';receipt;outputOnDisk;' : ';receipt;',
  };
}

/** The number of processes that it left then. A receipt does not know if they still run. */
function leftText(count: number, l10n: Localizer): readonly string[] {
  if (count === 0) {
    return [];
  }
  return [count === 1 ? l10n.t('left 1 process') : l10n.t('left {0} processes', count)];
}

export function receiptLabel(receipt: EndedReceipt): string {
  return sessionLabel(receiptSnapshot(receipt));
}

/** How it ended, in a few words. */
export function receiptEndText(receipt: EndedReceipt, l10n: Localizer, time: FormatTime): string {
  const { endedBy, steps } = receipt;
  const exit = exitOf(receipt, l10n, time);
  const how = endedBy === undefined ? exit : l10n.t('{0}, {1}', exit, causeOf(endedBy, l10n));
  return steps.length === 0 ? how : `${how} (${steps.join(', ')})`;
}

function exitOf({ end, endedBy, window }: EndedReceipt, l10n: Localizer, time: FormatTime): string {
  if (end.kind === 'lost') {
    return window === true
      ? l10n.t('lost: its VS Code window ended at about {0}', time(end.at))
      : l10n.t('lost: the session server ended at about {0}', time(end.at));
  }
  const { signal, exitCode } = end.status;
  const exit = signal === undefined ? l10n.t('exit {0}', exitCode) : oneLine(signal);
  const refusal = endedBy === undefined ? refusalText(end.status, l10n) : undefined;
  return refusal === undefined ? exit : l10n.t('{0}, {1}', exit, refusal);
}

/** The receipt as a text for people, a fact in each line. */
export function receiptText(receipt: EndedReceipt, l10n: Localizer, time: FormatTime): string {
  const { commandLine, cwd, sandbox, startedAt, end, left, bytes, evictedBytes, origin, host, incomplete } =
    receipt;
  return [
    receiptLabel(receipt),
    l10n.t('Command: {0}', oneLine(commandLine)),
    ...(incomplete === true
      ? [l10n.t('The command is incomplete: secrets are masked, long texts are cut.')]
      : []),
    l10n.t('Directory: {0}, on {1}', oneLine(cwd), oneLine(host)),
    ...(sandbox ? [l10n.t('Sandbox: {0}', sandboxText(sandbox, l10n))] : []),
    l10n.t('Started: {0}, by {1}', time(startedAt), oneLine(origin.name ?? origin.kind)),
    l10n.t('Ended: {0}, {1}', time(end.at), receiptEndText(receipt, l10n, time)),
    evictedBytes === 0
      ? l10n.t('Output: {0}', byteText(bytes, l10n))
      : l10n.t('Output: {0}, {1} dropped', byteText(bytes, l10n), byteText(evictedBytes, l10n)),
    ...left.map(({ command, pid }) => l10n.t('Left running: {0} ({1})', oneLine(command), pid)),
  ].join('\n');
}

function causeOf(endedBy: ReceiptCause, l10n: Localizer): string {
  return endedBy.kind === 'keepWithoutClient' ? withoutWindowText(endedBy, l10n) : causeText(endedBy, l10n);
}

/** Whether it ended together with the process that ran it. Its row says so too. */
function isOfHolder(endedBy: EndedReceipt['endedBy']): boolean {
  return endedBy?.kind === 'server' || endedBy?.kind === 'window';
}

function isAgentsSignal({ kind, signal }: ReceiptCause): boolean {
  return kind === 'agent' && signal !== undefined;
}

/** An earlier session as a window would have shown it at its end. */
export function receiptSnapshot(receipt: EndedReceipt): SessionSnapshot {
  const { end, endedBy, origin, sandbox, title, folder } = receipt;
  const kind = (['user', 'agent', 'extension'] as const).find((one) => one === origin.kind) ?? 'other';
  return {
    id: receipt.sessionId,
    environment: { id: LOCAL_ID, label: receipt.host },
    ...(folder !== undefined && { folder }),
    ...(title !== undefined && { title }),
    commandLine: receipt.commandLine,
    argv: receipt.argv,
    cwd: receipt.cwd,
    tty: receipt.tty,
    pipeStdin: false,
    ...(sandbox && { sandbox }),
    origin: { kind, ...(origin.name !== undefined && { name: origin.name }) },
    state: end.kind === 'lost' ? 'lost' : 'closed',
    stopping: false,
    startedAt: receipt.startedAt,
    exitedAt: end.at,
    closedAt: end.at,
    ...(end.kind === 'exit' && { exit: end.status }),
    ...(endedBy !== undefined &&
      (isAgentsSignal(endedBy) ? { signalledByAgent: true as const } : { stopped: true as const })),
    ...(endedBy?.kind === 'keepWithoutClient' && {
      endedBy: {
        kind: endedBy.kind,
        ...(endedBy.afterSeconds !== undefined && { afterSeconds: endedBy.afterSeconds }),
      },
    }),
    output: {
      bytes: receipt.bytes,
      chunks: 0,
      retainedBytes: 0,
      evicted: { bytes: receipt.evictedBytes, chunks: 0, throughSeq: 0 },
      missing: { chunks: 0, bytes: 0 },
      lastSeq: 0,
    },
  };
}
