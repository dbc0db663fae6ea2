import type { AgentSession } from '../agentSession.js';
import type { CommonEnding } from '../collectOutput.js';
import { oneLine } from '../oneLine.js';
import type { ToolInput } from '../toolSpecs.js';
import { formatCursor, type LineMatch } from '../text/index.js';

/** The event that ended a wait. */
export type WaitEnding = CommonEnding | 'exit' | 'closed' | 'lost' | 'pattern' | 'port' | 'quiet' | 'time';

/** The conditions that an agent can wait for. */
export type WaitCondition = 'exit' | 'closed' | 'pattern' | 'port' | 'quiet_ms';

/** The length to which the line found is cut, which is enough for a model to recognise it. */
const LINE_LENGTH = 500;

/** All requested conditions that are met now; several can be at the same time. */
export function metConditions(
  session: AgentSession,
  input: ToolInput<'wait_for'>,
  ending: WaitEnding,
  match: LineMatch | undefined,
): readonly WaitCondition[] {
  const { exit, state } = session.info();
  return [
    ...(match === undefined ? [] : ['pattern' as const]),
    ...(ending === 'port' ? ['port' as const] : []),
    ...(ending === 'quiet' ? ['quiet_ms' as const] : []),
    ...(input.exit && exit !== undefined ? ['exit' as const] : []),
    ...(input.closed && state === 'closed' ? ['closed' as const] : []),
  ];
}

/** The line of the reply that says how the wait ended. */
export function conditionText(
  input: ToolInput<'wait_for'>,
  ending: WaitEnding,
  met: readonly WaitCondition[],
  details: {
    readonly match: LineMatch | undefined;
    readonly timeText: string;
    /** A remark on the line that was found; may be empty. */
    readonly hint: string;
    /** Whether the program waits for something that nobody will give it. */
    readonly hopeless: boolean;
  },
): string {
  if (met.length > 0) {
    return `Condition: ${met.map((condition) => metText(input, condition, details)).join('; ')}`;
  }
  return `Condition: none met${unmetText(input, ending, details)}`;
}

function metText(
  input: ToolInput<'wait_for'>,
  condition: WaitCondition,
  { match, hint }: { readonly match: LineMatch | undefined; readonly hint: string },
): string {
  switch (condition) {
    case 'pattern':
      return match === undefined
        ? 'pattern met'
        : `pattern met at cursor "${formatCursor(match.cursor)}"${hint} by the line: ${oneLine(match.line, LINE_LENGTH)}`;
    case 'port':
      return `port met: ${input.port ?? 0} is listened on`;
    case 'quiet_ms':
      return `quiet_ms met: nothing was printed for ${input.quiet_ms ?? 0} ms`;
    case 'exit':
    case 'closed':
      return `${condition} met`;
  }
}

function unmetText(
  input: ToolInput<'wait_for'>,
  ending: WaitEnding,
  { timeText, hopeless }: { readonly timeText: string; readonly hopeless: boolean },
): string {
  switch (ending) {
    case 'time':
      // While a secret is awaited that nobody can be asked for, waiting on changes nothing; the warning says what does.
      return ` within ${timeText}${hopeless ? '' : '; wait again, or look at the output'}`;
    case 'secret':
      return ': the program waits for a secret';
    case 'lost':
      return ': the process was lost';
    case 'left':
      return ': its output is not there any more';
    case 'exit':
    case 'closed':
    case 'pattern':
    case 'port':
    case 'quiet':
      return `: the command has ended${input.pattern === undefined ? '' : ', and no line of its output matches the pattern'}${input.port === undefined ? '' : ', and the port is not listened on (wait for it again if something that it started may still do that)'}`;
  }
}
