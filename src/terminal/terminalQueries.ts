import type { ControlSequence, StringKind } from './escapeScanner.js';

/**
 * Control sequences that a terminal emulator answers through its input, as prefix, intermediates and final. Some are
 * answered by xterm.js, the others by other emulators.
 */
const QUERIES = new Set([
  'c', // DA1
  '>c', // DA2
  '=c', // DA3
  'n', // DSR, CPR
  '?n', // DECDSR, DECXCPR, colour scheme
  '$p', // DECRQM
  '?$p',
  '>q', // XTVERSION
  '?u', // kitty keyboard flags
  '?S', // XTSMGRAPHICS
  '?m', // XTQMODKEYS
  '?g', // XTQFMTKEYS
  'x', // DECREQTPARM
  '$w', // DECRQPSR
  '$u', // DECRQTSR
  '&u', // DECRQUPSS
  '"v', // DECRQDE
  '*y', // DECRQCRA
  "'|", // DECRQLP
  '#R', // XTREPORTCOLORS
  '#|', // XTREPORTSGR
]);

/** The window operations (`CSI … t`) that report something. */
const WINDOW_REPORTS = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21]);

/** OSC strings for colours and pointer shapes. A `?` in the place of a value asks for it. */
const ASKING_OSC = new Set([4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 60, 61]);

/**
 * OSC strings for the clipboard and desktop notifications. Both can ask for something, and both have effects outside
 * the terminal. Output that is only shown again must not have these effects again.
 */
const OUTSIDE_OSC = new Set([52, 99, 5522]);

/** The longest payload that is judged, in characters. A longer string that can ask something is dropped. */
const MAX_JUDGED = 4096;

/** Private modes in which an emulator speaks without being asked: focus, colour scheme, size. */
export const SPEAKING_MODES: ReadonlySet<number> = new Set([1004, 2031, 2048]);

/** A sequence that sets or resets private modes, without those that speak; empty if no other mode is left. */
export function withoutSpeakingModes(sequence: ControlSequence): string {
  const others = sequence.params.split(';').filter((mode) => !SPEAKING_MODES.has(Number.parseInt(mode, 10)));
  return others.length === 0 ? '' : `\u001b[?${others.join(';')}${sequence.final}`;
}

export function isQuery({ prefix, params, intermediates, final }: ControlSequence): boolean {
  if (prefix === '' && intermediates === '' && final === 't') {
    return WINDOW_REPORTS.has(Number.parseInt(params, 10));
  }
  return QUERIES.has(prefix + intermediates + final);
}

/** Whether the sequence asks where the cursor is. */
export function isCursorQuery({ prefix, params, intermediates, final }: ControlSequence): boolean {
  return prefix === '' && intermediates === '' && final === 'n' && Number.parseInt(params, 10) === 6;
}

/** Whether the sequence is DECID, an old form of DA1. */
export function isEscapeQuery(body: string): boolean {
  return body === 'Z';
}

/**
 * The decision about a string. Either its held payload is written as `pass` and the rest unchanged, or all of it is
 * dropped; an `image` leaves a mark.
 */
type Verdict = { readonly pass: string } | 'drop' | 'image';

/** Judges the payload so far. Undefined while more of it is needed; never undefined once the payload has `ended`. */
export type StringJudge = (payload: string, ended: boolean) => Verdict | undefined;

const pass: StringJudge = (payload) => ({ pass: payload });
const drop: StringJudge = () => 'drop';

/** The judge of a string whose head is known. */
export function judgeOf(kind: StringKind, head: string): StringJudge {
  switch (kind) {
    case 'osc':
      return oscJudge(Number.parseInt(head, 10));
    case 'dcs':
      // DECRQSS and XTGETTCAP. The parameters before them mean nothing.
      return /[$+]q$/.test(head) ? drop : pass;
    case 'apc':
      return head === 'G' ? judgeGraphics : pass;
    case 'other':
      return pass;
  }
}

/** The judge of a string that may be an image, where images are left out; undefined for every other string. */
export function imageJudgeOf(kind: StringKind, head: string): StringJudge | undefined {
  if (kind === 'dcs') {
    return /^[\d;]*q$/.test(head) ? () => 'image' : undefined; // sixel
  }
  if (kind === 'apc' && head === 'G') {
    return judgeKittyImage;
  }
  return kind === 'osc' && Number.parseInt(head, 10) === 1337 ? judgeITermImage : undefined;
}

/** The image is shown by the action `T` or `p`; other commands bring more of it, or ask. */
function judgeKittyImage(payload: string, ended: boolean): Verdict | undefined {
  const end = payload.indexOf(';');
  if (end < 0 && !ended) {
    return payload.length > MAX_JUDGED ? 'drop' : undefined;
  }
  return /(?:^|,)a=[Tp](?:,|$)/.test(end < 0 ? payload : payload.slice(0, end)) ? 'image' : 'drop';
}

function judgeITermImage(payload: string, ended: boolean): Verdict | undefined {
  const begun = payload.length >= ITERM_FILE.length || ended;
  return !begun ? undefined : payload.startsWith(ITERM_FILE) ? 'image' : 'drop';
}

const ITERM_FILE = 'File=';

function oscJudge(number: number): StringJudge {
  if (OUTSIDE_OSC.has(number)) {
    return drop;
  }
  if (ASKING_OSC.has(number)) {
    return judgeAsking;
  }
  return number === 1337 ? judgeITerm : pass;
}

function judgeAsking(payload: string, ended: boolean): Verdict | undefined {
  if (payload.includes('?') || payload.length > MAX_JUDGED) {
    return 'drop';
  }
  return ended ? { pass: payload } : undefined;
}

/** Drops `ReportCellSize` and `ReportVariable`. Other strings pass: they may be large images. */
function judgeITerm(payload: string, ended: boolean): Verdict | undefined {
  const name = payload.replace(/[\u0000-\u001f]/g, '').slice(0, REPORT.length);
  if (!ended && name.length < REPORT.length && payload.length < MAX_JUDGED) {
    return undefined;
  }
  return name === REPORT ? 'drop' : { pass: payload };
}

const REPORT = 'Report';

/**
 * Adds `q=2` to commands of the kitty graphics protocol, since the emulator would answer them; among repeated keys the
 * last one counts. A query is dropped.
 */
function judgeGraphics(payload: string, ended: boolean): Verdict | undefined {
  const semicolon = payload.indexOf(';');
  if (semicolon < 0 && !ended) {
    return payload.length > MAX_JUDGED ? 'drop' : undefined;
  }
  const end = semicolon < 0 ? payload.length : semicolon;
  const control = payload.slice(0, end);
  if (control.split(',').includes('a=q')) {
    return 'drop';
  }
  return { pass: `${control}${control === '' ? '' : ','}q=2${payload.slice(end)}` };
}
