import type { AgentSession } from './agentSession.js';
import { secondsText } from './durationText.js';
import { failureText, stateName, stateText } from './stateText.js';
import { type Cursor, formatCursor } from './text/index.js';
import type { ToolReply } from './tool.js';

/** The result of a tool; {@link replyOf} puts it into words. */
export interface Answer {
  readonly session?: AgentSession | undefined;
  readonly warnings?: readonly string[];
  /** Further lines behind that of the state. */
  readonly lines?: readonly string[];
  /** The estimated tokens of the raw output. */
  readonly outputTokens?: number | undefined;
  /** The end of the output in this reply. */
  readonly cursor?: Cursor | undefined;
  readonly output?: string | undefined;
  /** More facts for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/**
 * The reply, in the order that models and programs rely on: warnings, session, state, the lines of the tool, wall time,
 * tokens, cursor, output. Lines that do not apply are left out.
 */
export function replyOf(
  answer: Answer,
  call: { readonly warnings: readonly string[]; readonly wallMs: number; readonly now: number },
): ToolReply {
  const { session, lines = [], outputTokens, cursor, output, facts, isError = false } = answer;
  const warnings = [...call.warnings, ...(answer.warnings ?? [])];
  const { exit, failure } = session?.info() ?? {};
  const text = [
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(session === undefined
      ? lines
      : [
          `Session ${session.id}: ${session.command}`,
          `State: ${stateText(session, call.now)}`,
          ...lines,
          `Wall time: ${secondsText(call.wallMs)}`,
        ]),
    ...(outputTokens === undefined ? [] : [`Output tokens: ${outputTokens} (4 bytes a token, estimated)`]),
    ...(cursor === undefined ? [] : [`Cursor: ${formatCursor(cursor)}`]),
    ...(output === undefined || output === '' ? [] : ['Output:', output]),
  ].join('\n');
  return {
    text,
    structured: {
      ...(session && {
        session: session.id,
        state: stateName(session),
        command: session.command,
        cwd: session.hosted.cwd,
        environment: session.hosted.environment.id,
      }),
      ...(exit && { exitCode: exit.exitCode, ...(exit.signal !== undefined && { signal: exit.signal }) }),
      ...(failure && { failure: failureText(failure) }),
      wallTimeMs: call.wallMs,
      ...(outputTokens !== undefined && { outputTokens }),
      ...(cursor && { cursor: formatCursor(cursor) }),
      ...facts,
      ...(warnings.length > 0 && { warnings }),
    },
    isError,
  };
}

/** The reply to a call that was wrong or failed. */
export function errorReply(
  message: string,
  options: { session?: number | undefined; warnings: readonly string[] },
): ToolReply {
  const { session, warnings } = options;
  return {
    text: [...warnings.map((warning) => `Warning: ${warning}`), message].join('\n'),
    structured: {
      error: message,
      ...(session !== undefined && { session }),
      ...(warnings.length > 0 && { warnings }),
    },
    isError: true,
  };
}
