import { setImmediate as nextTurn } from 'node:timers/promises';

import * as vscode from 'vscode';

import {
  delay,
  type EndedReceipt,
  type FoundLine,
  LineFinder,
  systemClock,
  TextSearch,
} from '../../../core/index.js';
import type { Session } from '../../../sessions/list/index.js';
import { receiptLabel, sessionLabel, statusText, withoutIcons } from '../../../sessions/words/index.js';
import { partsOf, readOutput, type SessionOutput } from '../../output/sessionOutput.js';
import { longTime } from '../../tree/earlierRows.js';
import type { CommandContext } from '../context.js';

/** The most lines that are shown, in all and of one session: the newest ones. */
const MOST_LINES = 200;
const MOST_OF_ONE = 20;
/** Longer lines are shown around their matches, in characters. */
const SHOWN_LENGTH = 200;
/** The time from a key to the search, in milliseconds: people type on. */
const TYPING_MS = 300;
/** The longest time for which a search keeps others from running, in milliseconds. */
const SLICE_MS = 15;

/** The output of one session, where a search looks. */
interface Source {
  readonly name: string;
  readonly of: Session | EndedReceipt;
  read(): Promise<SessionOutput>;
}

interface LineRow extends vscode.QuickPickItem {
  readonly found?: { readonly of: Session | EndedReceipt; readonly line: FoundLine };
}

/** Searches the output of all sessions while a person types, the newest first, and opens it at the chosen line. */
export async function searchOutput(
  context: Pick<CommandContext, 'dialogs' | 'documents' | 'earlier' | 'list'>,
): Promise<void> {
  const { dialogs, documents } = context;
  let stop = new AbortController();
  const chosen = await dialogs.live<LineRow>({
    title: vscode.l10n.t('Search Output'),
    placeHolder: vscode.l10n.t('A text in the output of all sessions'),
    follow: (typed, show) => {
      stop.abort();
      stop = new AbortController();
      const { signal } = stop;
      if (typed.trim() === '') {
        show([]);
        return;
      }
      void delay(systemClock, TYPING_MS, signal).then(() => searchAll(context, typed, show, signal));
    },
  });
  stop.abort();
  if (chosen?.found !== undefined) {
    await documents.open(chosen.found.of, chosen.found.line);
  }
}

async function searchAll(
  context: Pick<CommandContext, 'earlier' | 'list'>,
  text: string,
  show: (rows: readonly LineRow[], state: { readonly busy: boolean; readonly note: string }) => void,
  signal: AbortSignal,
): Promise<void> {
  const search = new TextSearch(text, true);
  const rows: LineRow[] = [];
  const sources = await sourcesOf(context);
  const count = { lines: 0, shown: 0, incomplete: false };
  for (const [place, source] of sources.entries()) {
    if (signal.aborted || count.shown === MOST_LINES) {
      break;
    }
    const searched = vscode.l10n.t('{0} of {1} sessions searched', place, sources.length);
    show(rows, { busy: true, note: searched });
    const output = await source.read().catch(() => undefined);
    const { total, newest } = output === undefined ? NOTHING : await linesOf(output, search, signal);
    const shown = newest.slice(-(MOST_LINES - count.shown)).reverse();
    count.incomplete ||= output === undefined || output.stats.evicted.bytes > 0;
    count.lines += total;
    count.shown += shown.length;
    if (shown.length > 0) {
      const part =
        total > shown.length ? ` · ${vscode.l10n.t('the newest {0} of {1}', shown.length, total)}` : '';
      rows.push(
        { label: `${source.name}${part}`, kind: vscode.QuickPickItemKind.Separator },
        ...shown.map((line) => ({
          label: withoutIcons(search.shown(line.line, SHOWN_LENGTH)),
          description: vscode.l10n.t('line {0}', line.number + 1),
          alwaysShow: true,
          found: { of: source.of, line },
        })),
      );
    }
  }
  show(rows, { busy: false, note: resultText(count) });
}

/** @param count The lines that have the text and those of them that are shown, of the sessions that were searched. */
function resultText(count: {
  readonly lines: number;
  readonly shown: number;
  readonly incomplete: boolean;
}): string {
  const { lines, shown } = count;
  const found =
    shown === MOST_LINES
      ? vscode.l10n.t('the newest {0} lines; a longer text finds fewer', shown)
      : lines === 0
        ? vscode.l10n.t('nothing found')
        : vscode.l10n.t('{0} of {1}', shown, lines);
  return count.incomplete ? vscode.l10n.t('{0}; some output is no longer kept', found) : found;
}

/** The sessions with output: those of the list, and earlier ones whose output is on disk. */
async function sourcesOf({
  list,
  earlier,
}: Pick<CommandContext, 'earlier' | 'list'>): Promise<readonly Source[]> {
  const listed = list.sessions
    .filter(({ state }) => state !== 'starting')
    .map((session): Source & { readonly at: number } => {
      const snapshot = session.snapshot();
      return {
        name: [sessionLabel(snapshot), statusText(snapshot, Date.now(), vscode.l10n)].join(' · '),
        of: session,
        at: snapshot.exitedAt ?? Date.now(),
        read: () => readOutput(session),
      };
    });
  const receipts = await earlier.receipts().catch(() => []);
  const kept = receipts.length === 0 ? new Set<string>() : await earlier.withOutput();
  const past = receipts
    .filter(({ id, sessionId }) => kept.has(id) && list.get(sessionId) === undefined)
    .map((receipt): Source & { readonly at: number } => ({
      name: [receiptLabel(receipt), longTime(receipt.end.at)].join(' · '),
      of: receipt,
      at: receipt.end.at,
      read: () => earlier.output(receipt.id, receipt),
    }));
  return [...listed.toReversed(), ...past].sort((one, other) => other.at - one.at);
}

const NOTHING = { total: 0, newest: [] };

/** The number of the lines that have the text, and the newest of them. */
async function linesOf(
  output: SessionOutput,
  search: TextSearch,
  signal: AbortSignal,
): Promise<{ readonly total: number; readonly newest: readonly FoundLine[] }> {
  const finder = new LineFinder(search);
  let total = 0;
  let newest: readonly FoundLine[] = [];
  const take = (found: readonly FoundLine[]) => {
    total += found.length;
    newest = [...newest, ...found].slice(-MOST_OF_ONE);
  };
  let since = performance.now();
  for (const part of partsOf(output)) {
    take(finder.take(part));
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
      if (signal.aborted) {
        break;
      }
    }
  }
  take(finder.end());
  return { total, newest };
}
