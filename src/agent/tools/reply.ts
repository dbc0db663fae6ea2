import {
  type ExitStatus,
  folderTexts,
  metadataIn,
  oneLine,
  sandboxText,
  secondsText,
} from '../../core/index.js';
import type { AgentSession } from '../session/agentSession.js';
import type { KnownAgent } from '../session/agents.js';
import { failureText, stateFacts, stateText } from '../session/stateText.js';
import { type Cursor, formatCursor } from '../text/index.js';
import type { ToolReply, UnfinishedCall } from '../tool.js';

/** The result of a tool; {@link replyOf} puts it into words. */
export interface Answer {
  readonly session?: AgentSession | undefined;
  readonly warnings?: readonly string[];
  /** Further lines after the line of the state. */
  readonly lines?: readonly string[];
  /** Whether the session was started by this call, so that the model has not been told its command yet. */
  readonly started?: boolean;
  /** The estimated tokens of the raw output. */
  readonly outputTokens?: number | undefined;
  /** The estimated tokens of `output`, if it is not the whole of the raw output. */
  readonly shownTokens?: number | undefined;
  /** The end of the output in this reply. */
  readonly cursor?: Cursor | undefined;
  readonly output?: string | undefined;
  /** The line in place of an output that is empty. */
  readonly ifEmpty?: string | undefined;
  /** Whether it is the output since the agent's last look. */
  readonly isNew?: boolean;
  /** More facts for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  /** The call in which the wait goes on. This answer then takes no news from the agent. */
  readonly unfinished?: UnfinishedCall;
}

/** The length to which the command of a session is cut if the model knows it already, in characters. */
const KNOWN_COMMAND_LENGTH = 40;

/**
 * The reply. Models and programs rely on the order: warnings, the ends of other sessions, session, state. Then come the
 * lines of the tool, wall time, tokens (only where output was left out), cursor and output. Lines may be missing.
 */
export function replyOf(
  answer: Answer,
  call: {
    readonly agent: KnownAgent;
    readonly warnings: readonly string[];
    /** The news of other sessions of the agent. */
    readonly meanwhile: string | undefined;
    readonly wallMs: number;
    readonly now: number;
  },
): ToolReply {
  const { session, lines = [], outputTokens, cursor, facts, isError = false } = answer;
  const warnings = [...call.warnings, ...(answer.warnings ?? [])];
  const { exit, failure, sandbox, metadata = {} } = session?.info() ?? {};
  const folder = answer.started === true ? folderTexts(metadataIn(metadata, 'folderEnvironment')) : [];
  const text = [
    ...headLines({ warnings, meanwhile: call.meanwhile }),
    ...(session === undefined
      ? lines
      : [
          `Session ${session.id}${ownerText(session, call.agent)}: ${answer.started === true ? session.command : oneLine(session.hosted.commandLine, KNOWN_COMMAND_LENGTH)}`,
          `State: ${stateText(session, call.now, call.agent)}`,
          ...(sandbox ? [`Sandbox: ${sandboxText(sandbox)}`] : []),
          ...(folder.length > 0 ? [`Folder: ${folder.join('; ')}`] : []),
          ...lines,
          `Wall time: ${secondsText(call.wallMs)}`,
        ]),
    ...(answer.shownTokens === undefined
      ? []
      : [`Output tokens: ${outputTokens ?? 0}, ${answer.shownTokens} of them shown`]),
    ...(cursor === undefined ? [] : [`Cursor: ${formatCursor(cursor)}`]),
    ...outputLines(answer),
  ].join('\n');
  return {
    text,
    structured: {
      ...(session && {
        ...stateFacts(session, call.now),
        command: session.command,
        cwd: session.hosted.cwd,
        environment: session.hosted.environment.id,
      }),
      ...(sandbox && { sandbox }),
      ...exitFacts(exit),
      ...(failure && { failure: failureText(failure) }),
      wallTimeMs: call.wallMs,
      ...(outputTokens !== undefined && { outputTokens }),
      ...(cursor && { cursor: formatCursor(cursor) }),
      ...facts,
      ...(call.meanwhile !== undefined && { meanwhile: call.meanwhile }),
      ...(warnings.length > 0 && { warnings }),
    },
    isError,
    ...(answer.unfinished && { unfinished: answer.unfinished }),
  };
}

/** How a session ended, for programs. */
export function exitFacts(exit: ExitStatus | undefined) {
  return (
    exit && {
      exitCode: exit.exitCode,
      ...(exit.signal !== undefined && { signal: exit.signal }),
      ...(exit.refused && { refused: exit.refused }),
    }
  );
}

/** The lines before those about the call itself. */
function headLines({
  warnings,
  meanwhile,
}: {
  readonly warnings: readonly string[];
  readonly meanwhile: string | undefined;
}): readonly string[] {
  return [
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(meanwhile === undefined ? [] : [`Meanwhile: ${meanwhile}`]),
  ];
}

function outputLines({ output = '', ifEmpty }: Answer): readonly string[] {
  return output === '' ? (ifEmpty === undefined ? [] : [ifEmpty]) : ['Output:', output];
}

/** The owner of a session that is not the reader's own: an agent that uses such a session is always told. */
function ownerText({ agent }: AgentSession, reader: KnownAgent): string {
  return agent.id === reader.id ? '' : ` of ${agent.nameFor(reader)}`;
}

/** The reply to a call that was wrong or failed. */
export function errorReply(
  message: string,
  options: { session?: number | undefined; warnings: readonly string[]; meanwhile?: string | undefined },
): ToolReply {
  const { session, warnings, meanwhile } = options;
  return {
    text: [...headLines({ warnings, meanwhile }), message].join('\n'),
    structured: {
      error: message,
      ...(session !== undefined && { session }),
      ...(meanwhile !== undefined && { meanwhile }),
      ...(warnings.length > 0 && { warnings }),
    },
    isError: true,
  };
}
