import { messageOf } from '../../core/index.js';
import type { Pattern } from '../../terminal/pattern.js';
import type { Answer } from './reply.js';
import {
  type CutLines,
  estimateTokens,
  formatCursor,
  type Gone,
  KEEP_ADVICE,
  type Page,
  type Patterns,
  type SearchResult,
  type Tail,
} from '../text/index.js';
import { ToolError } from '../toolError.js';
import type { ToolInput } from '../input/toolSpecs.js';

/** The answer with a page of output. */
export function pageAnswer({ text, next, more, gone }: Page): Answer {
  const rest = `[... more follows; read_output cursor="${formatCursor(next)}" has it ...]`;
  return {
    outputTokens: estimateTokens(text),
    cursor: next,
    output: more ? `${ended(text)}${rest}` : text,
    facts: { more, ...goneFacts(gone) },
  };
}

/** The answer with the last lines. */
export function tailAnswer({ text, lines, from, next, cut }: Tail): Answer {
  const place = from === undefined ? '' : `, from cursor "${formatCursor(from)}" on`;
  const missing = cut ? '; more do not fit into max_output_tokens' : '';
  return {
    lines: [`Last lines: ${lines}${place}${missing}`],
    outputTokens: estimateTokens(text),
    cursor: next,
    output: text,
    facts: { lines, cut, ...(from !== undefined && { from: formatCursor(from) }) },
  };
}

/** The answer with the lines that match. */
export function searchAnswer(found: SearchResult): Answer {
  const { text, total, matches, more, next, gone, cut } = found;
  const shown = more ? `the first ${matches.length} of ${total}` : String(total);
  const rest = `[... more lines match; read_output search with cursor="${formatCursor(next)}" has them ...]`;
  return {
    lines: [`Matching lines: ${shown}`],
    outputTokens: estimateTokens(text),
    output: more ? `${ended(text)}${rest}` : text,
    facts: {
      total,
      more,
      matches: matches.length,
      next: formatCursor(next),
      ...goneFacts(gone),
    },
    warnings: [
      ...(gone === undefined ? [] : [`${goneText(gone)} gone and could not be searched; ${KEEP_ADVICE}.`]),
      ...cutWarnings(cut),
    ],
  };
}

/** The warning about lines that were searched only in part, if there are any. */
export function cutWarnings(cut: CutLines | undefined): readonly string[] {
  return cut === undefined
    ? []
    : [
        `only the first ${cut.reach} characters of a line were compared with the pattern. The first longer line is at cursor "${formatCursor(cut.first)}". A smaller pattern reaches further.`,
      ];
}

/** @throws ToolError if the pattern is not a valid one. */
export async function compiled(
  patterns: Patterns,
  pattern: string,
  { session, ignore_case }: ToolInput<'read_output'>,
): Promise<Pattern> {
  return patterns.compile(pattern, ignore_case).catch((error: unknown) => {
    throw new ToolError(`read_output was not called: "search": ${messageOf(error)}`, session);
  });
}

/** @throws ToolError */
export function checkTailIsAlone({ session, cursor, search }: ToolInput<'read_output'>): void {
  if (cursor !== undefined || search !== undefined) {
    throw new ToolError(
      'read_output was not called: "tail" is alone, without "cursor" and "search".',
      session,
    );
  }
}

function goneText({ bytes }: Gone): string {
  return bytes === undefined ? 'some of the output is' : `${bytes} bytes of the output are`;
}

function goneFacts(gone: Gone | undefined): object {
  return gone === undefined ? {} : { gone: true, ...(gone.bytes !== undefined && { goneBytes: gone.bytes }) };
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
