import { messageOf, type WriteStatus } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { collectOutput, outputAnswer, processEnds } from './collectOutput.js';
import { comes, firstOf, isAborted, timePasses } from '../wait/conditions.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { cancellable } from '../session/lock.js';
import type { Answer } from './reply.js';
import { secretText, sessionWarnings } from '../session/sessionWarnings.js';
import { notRunningText } from '../session/stateText.js';
import { CallCancelled, ToolError } from '../toolError.js';
import {
  END_OF_INPUT,
  isEmptyLine,
  typedInput,
  type TypedInput,
  wantsEnter,
  withEnter,
} from './typedInput.js';
import type { ToolCall, ToolContext } from './toolCall.js';

/**
 * The longest time that the lock is held for a program that does not take its input, in milliseconds. Then another
 * agent's interrupt gets its turn. Further input stays in order after the pending input.
 */
const PATIENCE_MS = 1_000;

/** Sends input to a session and waits a little for its effect. */
export async function writeStdin(
  { sessions, clock }: ToolContext,
  input: ToolInput<'write_stdin'>,
  call: ToolCall,
): Promise<Answer> {
  const session = await sessions.get(input.session, call.agent);
  const wanted = input.chars !== '' || (input.keys ?? []).length > 0 || input.close;
  // Only the input takes turns with the input of others. If the lock covered the wait, another agent's Ctrl-C would
  // have to wait.
  const sent = wanted
    ? await session.lock.run(() => send(session, input, call, { clock }), call.signal)
    : undefined;
  const { digest } = await collectOutput(session, call, {
    clock,
    maxTokens: input.max_output_tokens,
    until: (reader) => [processEnds(reader, clock, 'ended'), timePasses(clock, input.yield_time_ms, 'time')],
  });
  return {
    session,
    warnings: [...(sent === undefined ? [] : [sent]), ...sessionWarnings(session)],
    ...outputAnswer(digest),
  };
}

/**
 * @returns A warning for the agent, if there is one.
 * @throws ToolError if the session takes no input, or does not take this input.
 */
async function send(
  session: AgentSession,
  input: ToolInput<'write_stdin'>,
  call: ToolCall,
  { clock }: Pick<ToolContext, 'clock'>,
): Promise<string | undefined> {
  const { process } = session;
  if (process === undefined || !session.running) {
    return `nothing was sent: ${notRunningText(session)}.`;
  }
  checkControl(session);
  const typed = await typedInput(session, input);
  let { text } = typed;
  let warning: string | undefined;
  // An interrupt is not a secret, and it is the way out of a prompt.
  if (!typed.interrupts || typed.close) {
    const mode = await cancellable(session.secret.lookBeforeTyping(call.signal), call.signal);
    if (session.secret.awaited && !isEmptyLine(typed)) {
      throw new ToolError(`Nothing was sent to session ${session.id}. ${secretText(session)}`, session.id);
    }
    // The look takes a while, during which a person may have taken control.
    checkControl(session);
    if (wantsEnter(typed, mode)) {
      text = withEnter(typed);
      warning = 'the program reads single keys, so Enter ("\\r") was sent for the "\\n" at the end.';
    }
  }
  const signals = typed.interrupts && !process.info().tty;
  if (!signals) {
    checkPipe(session, typed);
  }
  session.changedBy(call.agent, 'write_stdin');
  if (typed.interrupts) {
    session.signalledBy(call.agent, 'SIGINT');
  }
  if (signals) {
    session.inputs.sending(call.agent, text).taken();
    await cancellable(process.signal('SIGINT'), call.signal);
    return typed.close ? 'the input was not closed: it was interrupted instead.' : undefined;
  }
  const problem = await deliver(session, { text, close: typed.close }, call, { clock });
  if (isEmptyLine(typed)) {
    session.secret.answered();
  }
  return problem ?? warning;
}

/** @throws ToolError if the session has no terminal, and a pipe does not take this input. */
function checkPipe(session: AgentSession, { text, close }: TypedInput): void {
  const { tty, pipeStdin } = session.info();
  if (tty) {
    return;
  }
  if (!pipeStdin) {
    throw new ToolError(
      `Nothing was sent: ${session.name} has no input. Stop it, and start the command again with tty=true or stdin=true.`,
      session.id,
    );
  }
  if (text === END_OF_INPUT) {
    throw new ToolError(
      `Nothing was sent: ${session.name} has no terminal, and a pipe does not know Ctrl-D. To end the input, use close=true.`,
      session.id,
    );
  }
  if (close && !session.hosted.backend.capabilities.closeStdin) {
    throw new ToolError(
      `Nothing was sent: the machine of ${session.name} cannot close the input of a process. Send the characters without "close". If the command needs an end of input, stop it and start it again with tty=true: Ctrl-D is that end in a terminal.`,
      session.id,
    );
  }
}

/** @returns A warning if the program does not take the input at once. */
async function deliver(
  session: AgentSession,
  { text, close }: { readonly text: string; readonly close: boolean },
  call: ToolCall,
  { clock }: Pick<ToolContext, 'clock'>,
): Promise<string | undefined> {
  const { hosted } = session;
  const sending = session.inputs.sending(call.agent, text);
  const work = async () => {
    const status = text === '' ? 'accepted' : await hosted.process.write(new TextEncoder().encode(text));
    checkStatus(session, status);
    if (close) {
      await hosted.closeInput();
    }
  };
  const outcome = work().then(
    () => {
      sending.taken();
      return { kind: 'taken' } as const;
    },
    (error: unknown) => {
      sending.refused();
      return { kind: 'refused', error } as const;
    },
  );
  const ending = await firstOf<Sending>([
    isAborted(call.signal, { kind: 'cancelled' }),
    timePasses(clock, PATIENCE_MS, { kind: 'pending' }),
    comes<Sending>(outcome),
  ]);
  switch (ending.kind) {
    case 'cancelled':
      throw new CallCancelled();
    case 'pending':
      return hosted.backend.connection.kind === 'recovering'
        ? 'the input has not arrived yet: it waits for the connection to the machine, which is being recovered.'
        : 'the program has not taken all of the input yet; the rest waits for it, in order. send_signal and stop_session do not.';
    case 'refused':
      return problemOf(session, ending.error);
    case 'taken':
      return undefined;
  }
}

type Sending =
  | { readonly kind: 'taken' | 'pending' | 'cancelled' }
  | { readonly kind: 'refused'; readonly error: unknown };

/** @throws ToolError while only a person may type. */
function checkControl(session: AgentSession): void {
  if (session.controller === 'person') {
    throw new ToolError(
      `Nothing was sent: a person has control of session ${session.id}. Reading it, waiting for it and stopping it are possible; you are told when control is given back.`,
      session.id,
    );
  }
}

function checkStatus(session: AgentSession, status: WriteStatus): void {
  switch (status) {
    case 'accepted':
      return;
    case 'stdinClosed':
      throw new ToolError(`Nothing was sent: the input of ${session.name} has been closed.`, session.id);
    case 'starting':
      throw new ToolError(`Nothing was sent: ${session.name} is still starting. Try again.`, session.id);
    case 'unknownProcess':
      throw new ToolError(
        `Nothing was sent: the machine of ${session.name} does not know the process any more.`,
        session.id,
      );
  }
}

/** The warning for a failed write. If the command has ended meanwhile, the failure is not an error. */
function problemOf(session: AgentSession, error: unknown): string {
  const { exit } = session.info();
  if (exit !== undefined) {
    return 'the command ended before it took all of the input.';
  }
  if (error instanceof ToolError) {
    throw error;
  }
  const reason = messageOf(error);
  throw new ToolError(`The input was not taken by ${session.name}: ${reason}`, session.id);
}
