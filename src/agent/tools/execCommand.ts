import type { Command } from '../../core/index.js';
import { timePasses } from '../conditions.js';
import { collectOutput, outputAnswer, processEnds } from '../collectOutput.js';
import type { ToolInput } from '../toolSpecs.js';
import { cancellable } from '../lock.js';
import type { Answer } from '../reply.js';
import { sessionWarnings } from '../sessionWarnings.js';
import { CallCancelled, ToolError } from '../toolError.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/** Starts a command and waits a little for it. */
export async function execCommand(
  { host, sessions, clock }: ToolContext,
  input: ToolInput<'exec_command'>,
  call: ToolCall,
): Promise<Answer> {
  if (call.signal.aborted) {
    throw new CallCancelled();
  }
  // A start that is in progress when the call is cancelled continues, and its session is listed.
  const starting = sessions.start(call.agent, () =>
    host.start(
      {
        command: commandOf(input),
        cwd: input.workdir,
        tty: input.tty,
        pipeStdin: input.stdin && !input.tty,
        separateStderr: input.separate_stderr,
        environment: input.environment,
        title: nameOf(input),
        agent: call.agent.name,
      },
      call.signal,
    ),
  );
  const session = await cancellable(starting, call.signal);
  session.knownApart = input.separate_stderr;
  const { digest } = await collectOutput(session, call, {
    clock,
    maxTokens: input.max_output_tokens,
    until: (reader) => [processEnds(reader, clock, 'ended'), timePasses(clock, input.yield_time_ms, 'time')],
  });
  const near = sessions.warning(call.agent);
  return {
    session,
    started: true,
    warnings: [...(near === undefined ? [] : [near]), ...sessionWarnings(session)],
    ...outputAnswer(digest),
  };
}

function commandOf({ cmd, argv }: ToolInput<'exec_command'>): Command {
  if (cmd !== undefined && argv === undefined) {
    return { kind: 'commandLine', commandLine: cmd };
  }
  if (argv !== undefined && cmd === undefined) {
    return { kind: 'argv', argv };
  }
  throw new ToolError(
    `exec_command was not called: give ${cmd === undefined ? '"cmd" or "argv"' : 'either "cmd" or "argv", not both'}.`,
  );
}

function nameOf({ title }: ToolInput<'exec_command'>): string | undefined {
  const name = title?.trim();
  return name === '' ? undefined : name;
}
