import { oneLine, secondsText } from '../../core/index.js';
import type { AgentSession } from '../session/agentSession.js';
import type { CommonEnding } from './collectOutput.js';
import type { Hold } from './hold.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { type Cursor, formatCursor, type LineMatch } from '../text/index.js';

/** The event that ended a wait. */
export type WaitEnding =
  CommonEnding | 'exit' | 'closed' | 'lost' | 'pattern' | 'port' | 'quiet' | 'shown' | 'time';

/** The conditions that an agent can wait for. */
type WaitCondition = 'exit' | 'closed' | 'pattern' | 'port' | 'quiet_ms' | 'asks';

/**
 * Milliseconds of silence after which a wait for a new line ends, if an earlier answer had a line that matches. Then
 * the agent may not wait for another one.
 */
export const SHOWN_QUIET_MS = 3_000;

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
    ...(input.asks && session.look.question !== undefined ? ['asks' as const] : []),
    ...(input.exit && exit !== undefined ? ['exit' as const] : []),
    ...(input.closed && state === 'closed' ? ['closed' as const] : []),
  ];
}

/** The findings of a wait, for its text. */
interface WaitFindings {
  readonly match: LineMatch | undefined;
  /** The processes that listen at the port, as text; undefined if there are none. */
  readonly portText: string | undefined;
  /** The end of the output in the reply. */
  readonly next: Cursor | undefined;
  /** A matching line that was taken for the echo of input. */
  readonly echo: LineMatch | undefined;
  /** A matching line that an earlier answer had. */
  readonly shown: LineMatch | undefined;
  /** The cursor of the agent's last input, if only lines after it counted. */
  readonly sinceInput: string | undefined;
  readonly hold: Hold;
  /** Whether the program waits for something that it cannot get. */
  readonly hopeless: boolean;
}

/** The line of the reply that says how the wait ended. */
export function conditionText(
  input: ToolInput<'wait_for'>,
  ending: WaitEnding,
  met: readonly WaitCondition[],
  findings: WaitFindings,
): string {
  if (met.length > 0) {
    const others = met.includes('port') || findings.portText === undefined ? [] : [findings.portText];
    const texts = [...met.map((condition) => metText(input, condition, findings)), ...others];
    return `Condition: ${texts.join('; ')}`;
  }
  return `Condition: none met${unmetText(input, ending, findings)}${missText(input, findings)}`;
}

function metText(
  input: ToolInput<'wait_for'>,
  condition: WaitCondition,
  { match, portText }: WaitFindings,
): string {
  switch (condition) {
    case 'pattern':
      return match === undefined
        ? 'pattern met'
        : `pattern met at cursor "${formatCursor(match.cursor)}" by the line: ${oneLine(match.line)}`;
    case 'port':
      return `port met: ${portText ?? ''}`;
    case 'quiet_ms':
      return `quiet_ms met: nothing was printed for ${input.quiet_ms ?? 0} ms`;
    case 'exit':
    case 'closed':
    case 'asks':
      return `${condition} met`;
  }
}

/** Why a line that the agent expects may not have been found. */
function missText(
  { pattern }: ToolInput<'wait_for'>,
  { echo, shown, sinceInput, next }: WaitFindings,
): string {
  if (pattern === undefined) {
    return '';
  }
  if (shown !== undefined) {
    const again = next === undefined ? '' : `; from="${formatCursor(next)}" waits for a new one`;
    return `. A line that matches was there before this wait, at cursor "${formatCursor(shown.cursor)}"${again}: ${oneLine(shown.line)}`;
  }
  if (echo !== undefined) {
    return `. A line that matches was taken for the echo of your input, at cursor "${formatCursor(echo.cursor)}": ${oneLine(echo.line)}`;
  }
  return sinceInput === undefined
    ? ''
    : `. Only lines since your last input counted, at cursor "${sinceInput}"; from="0" counts all`;
}

function unmetText(
  input: ToolInput<'wait_for'>,
  ending: WaitEnding,
  { portText, hopeless, shown, hold }: WaitFindings,
): string {
  const holder = portText === undefined ? '' : `; ${portText}`;
  switch (ending) {
    case 'time':
      // If there is no person to ask for an awaited secret, waiting on changes nothing. The warning says what helps.
      return ` within ${secondsText(hold.ms)}${hold.restMs > 0 ? '; this client waits no longer' : ''}${holder}${hopeless ? '' : '; wait again, or look at the output'}`;
    case 'shown':
      return `: nothing was printed for ${secondsText(SHOWN_QUIET_MS)}`;
    case 'secret':
      return ': the program waits for a secret';
    case 'asks':
      return ': the program asks';
    case 'lost':
      return ': the process was lost';
    case 'left':
      return ': its output is not there any more';
    case 'exit':
    case 'closed':
    case 'pattern':
    case 'port':
    case 'quiet':
      return `: the command has ended${input.pattern === undefined ? '' : `, and no ${shown === undefined ? '' : 'new '}line of its output matches the pattern`}${input.port === undefined || portText !== undefined ? holder : ', and the port is not listened on'}`;
  }
}
