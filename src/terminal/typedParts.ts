import {
  Alarm,
  type Clock,
  type Disposable,
  type ExecProcess,
  type InputMode,
  onAbort,
} from '../core/index.js';

const LINES = /[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g;
const LINE_ENDS = /\r\n?|\n/g;
const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** Any other control character is a key. */
const KEYS = /[^\P{Cc}\t\r\n]/u;

/** How long the program must have been silent before the next part, in milliseconds, and the longest wait for that. */
const QUIET_MS = 50;
const PATIENCE_MS = 1_000;

/** Whether a text has several lines. */
export function hasLines(text: string): boolean {
  return (text.match(LINES) ?? []).length > 1;
}

/**
 * Splits text of several lines into the parts in which a terminal's program gets them, with quiet in between. A program
 * that knows pasted text gets all lines as one paste, since it may indent what is typed. Others read a line and drop
 * what has come with it. The kernel keeps the lines apart for those that read whole lines.
 *
 * @param mode Undefined if it is unknown.
 * @param bracketedPaste Whether the program tells pasted text from keys.
 */
export function typedParts(
  text: string,
  mode: InputMode | undefined,
  bracketedPaste: boolean,
): readonly [string, ...string[]] {
  const content = text.replaceAll(PASTE_END, '');
  const [first, ...others] = text.match(LINES) ?? [];
  if (first === undefined || others.length === 0 || mode?.canonical === true || KEYS.test(content)) {
    return [text];
  }
  const enter = mode?.enterIsLineFeed === false || bracketedPaste ? '\r' : undefined;
  const typed = (line: string) => (enter === undefined ? line : line.replace(LINE_ENDS, enter));
  if (!bracketedPaste || content.trim() === '') {
    return [typed(first), ...others.map(typed)];
  }
  const pasted = typed(content);
  const paste = `${PASTE_BEGIN}${pasted}${PASTE_END}`;
  return pasted.endsWith('\r') ? [paste, '\r'] : [paste];
}

/** Resolves once the program has written something after a number, and is silent; or after a second. */
export function untilQuiet(
  process: Pick<ExecProcess, 'info' | 'onWake'>,
  afterSeq: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted === true) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const parts: Disposable[] = [];
    const end = () => {
      parts.forEach((part) => part.dispose());
      resolve();
    };
    const quiet = new Alarm(clock);
    const heard = () => quiet.set(QUIET_MS, end);
    parts.push(quiet, process.onWake(heard), clock.after(PATIENCE_MS, end), onAbort(signal, end));
    if (process.info().output.lastSeq > afterSeq) {
      heard();
    }
  });
}
