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

/** What the line says besides. */
export interface WaitDetails {
  readonly match: LineMatch | undefined;
  /** Who listens at the port; undefined if nobody does. */
  readonly portText: string | undefined;
  readonly timeText: string;
  /** A remark on the line that was found; may be empty. */
  readonly hint: string;
  /** Whether the program waits for something that nobody will give it. */
  readonly hopeless: boolean;
}

/** All requested conditions that are met now; several can be at the same time. */
export function metConditions(
  session: AgentSession,
  input: ToolInput<'wait_for'>,
  ending: WaitEnding,
  { match, port }: { readonly match: LineMatch | undefined; readonly port: boolean },
): readonly WaitCondition[] {
  const { exit, state } = session.info();
  return [
    ...(match === undefined ? [] : ['pattern' as const]),
    ...(port ? ['port' as const] : []),
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
  details: WaitDetails,
): string {
  if (met.length > 0) {
    const others = met.includes('port') || details.portText === undefined ? [] : [details.portText];
    const texts = [...met.map((condition) => metText(input, condition, details)), ...others];
    return `Condition: ${texts.join('; ')}`;
  }
  return `Condition: none met${unmetText(input, ending, details)}`;
}

function metText(
  input: ToolInput<'wait_for'>,
  condition: WaitCondition,
  { match, portText, hint }: WaitDetails,
): string {
  switch (condition) {
    case 'pattern':
      return match === undefined
        ? 'pattern met'
        : `pattern met at cursor "${formatCursor(match.cursor)}"${hint} by the line: ${oneLine(match.line, LINE_LENGTH)}`;
    case 'port':
      return `port met: ${portText ?? ''}`;
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
  { timeText, portText, hopeless }: WaitDetails,
): string {
  const holder = portText === undefined ? '' : `; ${portText}`;
  switch (ending) {
    case 'time':
      // While a secret is awaited that nobody can be asked for, waiting on changes nothing; the warning says what does.
      return ` within ${timeText}${holder}${hopeless ? '' : '; wait again, or look at the output'}`;
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
      return `: the command has ended${input.pattern === undefined ? '' : ', and no line of its output matches the pattern'}${input.port === undefined || portText !== undefined ? holder : ', and the port is not listened on (wait for it again if something that it started may still do that)'}`;
  }
}
