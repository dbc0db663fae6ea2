import { type Clock, type InputMode, messageOf, type WriteStatus } from '../../core/index.js';
import { untilQuiet } from '../../terminal/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { comes, firstOf, isAborted, timePasses } from '../wait/conditions.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { cancellable } from '../session/lock.js';
import type { Answer } from './reply.js';
import { secretText } from '../session/sessionWarnings.js';
import type { Sending as SendingInput } from '../session/sentInputs.js';
import { notRunningText } from '../session/stateText.js';
import { CallCancelled, ToolError } from '../toolError.js';
import {
  END_OF_INPUT,
  isEmptyLine,
  partsOf,
  typedInput,
  type TypedInput,
  wantsEnter,
  withEnter,
} from './typedInput.js';
import type { ToolCall, ToolContext } from './toolCall.js';
import { waitForEnd } from './waitForEnd.js';

/**
 * The longest time that the lock is held for a program that does not take its input, in milliseconds. Then another
 * agent's interrupt gets its turn. Further input stays in order after the pending input.
 */
const PATIENCE_MS = 1_000;
/** The longest time for the lines after the first, in milliseconds. */
const REST_MS = 20_000;

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
  const sent: Sent = wanted
    ? await session.lock.run(() => send(session, input, call, { clock }), call.signal)
    : {};
  const warning = sent.rest === undefined ? sent.warning : await sendRest(session, sent.rest, call, clock);
  const answer = await waitForEnd(session, input, call, clock);
  return {
    ...answer,
    warnings: [...(warning === undefined ? [] : [warning]), ...(answer.warnings ?? [])],
    lines: [...(sent.line === undefined ? [] : [sent.line]), ...(answer.lines ?? [])],
  };
}

interface Sent {
  readonly warning?: string | undefined;
  /** A fact about the input that is told once. */
  readonly line?: string | undefined;
  /** The parts that wait until the program is quiet. */
  readonly rest?: Rest;
}

interface Part {
  readonly text: string;
  readonly close: boolean;
  readonly sending: SendingInput;
  /** Whether the input is complete with it. */
  readonly last: boolean;
}

interface Rest {
  readonly parts: readonly string[];
  readonly close: boolean;
  readonly sending: SendingInput;
  /** The number of the last output before the part that was sent last. */
  readonly afterSeq: number;
}

/** @throws ToolError if the session takes no input, or does not take this input. */
async function send(
  session: AgentSession,
  input: ToolInput<'write_stdin'>,
  call: ToolCall,
  { clock }: Pick<ToolContext, 'clock'>,
): Promise<Sent> {
  const { process } = session;
  if (process === undefined || !session.running) {
    return { warning: `nothing was sent: ${notRunningText(session)}.` };
  }
  checkControl(session);
  const typed = await typedInput(session, input);
  let parts: readonly [string, ...string[]] = [typed.text];
  let line: string | undefined;
  // An interrupt is not a secret, and it is the way out of a prompt.
  if (!typed.interrupts || typed.close) {
    const mode = await lookBeforeTyping(session, typed, call);
    parts = await partsOf(session, typed, mode);
    if (parts.length === 1 && wantsEnter(typed, mode)) {
      parts = [withEnter(typed)];
      line = session.saidKeys ? undefined : 'Keys: the program reads single keys, so "\\n" is sent as Enter';
      session.saidKeys = true;
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
    session.inputs.sending(call.agent, typed.text).taken();
    await cancellable(process.signal('SIGINT'), call.signal);
    return { warning: typed.close ? 'the input was not closed: it was interrupted instead.' : undefined };
  }
  const [text, ...others] = parts;
  const { lastSeq } = process.info().output;
  const sending = session.inputs.sending(call.agent, typed.text);
  const last = others.length === 0;
  const problem = await deliver(session, { text, close: typed.close && last, sending, last }, call, {
    clock,
  });
  if (isEmptyLine(typed)) {
    session.secret.answered();
  }
  return last || problem !== undefined
    ? { warning: problem, line }
    : { rest: { parts: others, close: typed.close, sending, afterSeq: lastSeq } };
}

/**
 * @returns How the terminal takes input, as far as that is known.
 * @throws ToolError if only a person may type now.
 */
async function lookBeforeTyping(
  session: AgentSession,
  typed: TypedInput,
  call: ToolCall,
): Promise<InputMode | undefined> {
  const mode = await cancellable(session.secret.lookBeforeTyping(call.signal), call.signal);
  if (session.secret.awaited && !isEmptyLine(typed)) {
    throw new ToolError(`Nothing was sent to session ${session.id}. ${secretText(session)}`, session.id);
  }
  // The look takes a while, during which a person may have taken control.
  checkControl(session);
  return mode;
}

/**
 * Sends the other parts of an input, each when the program is quiet. Others may type meanwhile, which ends this.
 *
 * @returns A warning if not everything was sent.
 */
async function sendRest(
  session: AgentSession,
  { parts, close, sending, afterSeq }: Rest,
  call: ToolCall,
  clock: Clock,
): Promise<string | undefined> {
  const until = clock.now() + REST_MS;
  let seq = afterSeq;
  for (const [at, text] of parts.entries()) {
    await untilQuiet(session.hosted.process, seq, clock, call.signal);
    const warning = await session.lock.run(async () => {
      await cancellable(session.secret.lookBeforeTyping(call.signal), call.signal);
      const why = clock.now() < until ? endOfTyping(session, sending) : `it took ${REST_MS / 1_000} seconds`;
      if (why !== undefined) {
        sending.taken();
        return `${leftText(parts.slice(at))} not sent, because ${why}.`;
      }
      seq = session.info().output.lastSeq;
      const last = at === parts.length - 1;
      const problem = await deliver(session, { text, close: close && last, sending, last }, call, { clock });
      return problem === undefined || last
        ? problem
        : `${problem} ${leftText(parts.slice(at + 1))} not sent.`;
    }, call.signal);
    if (warning !== undefined) {
      return warning;
    }
  }
  return undefined;
}

/** Why no more is typed; undefined if nothing is against it. */
function endOfTyping(session: AgentSession, sending: SendingInput): string | undefined {
  return !session.running
    ? 'the command has ended'
    : session.controller === 'person'
      ? 'a person has taken control'
      : session.secret.awaited
        ? 'the program asks for a secret'
        : sending.isLast()
          ? undefined
          : 'somebody else has typed';
}

function leftText(parts: readonly string[]): string {
  const { length } = parts;
  return parts.join('') === '\r'
    ? 'the last Enter was'
    : length === 1
      ? 'the last line was'
      : `the last ${length} lines were`;
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
  { text, close, sending, last }: Part,
  call: ToolCall,
  { clock }: Pick<ToolContext, 'clock'>,
): Promise<string | undefined> {
  const { hosted } = session;
  const work = async () => {
    const status = text === '' ? 'accepted' : await hosted.process.write(new TextEncoder().encode(text));
    checkStatus(session, status);
    if (close) {
      await hosted.closeInput();
    }
  };
  const outcome = work().then(
    () => {
      if (last) {
        sending.taken();
      }
      return { kind: 'taken' } as const;
    },
    (error: unknown) => {
      sending.refused();
      return { kind: 'refused', error } as const;
    },
  );
  const ending = await firstOf<Outcome>([
    isAborted(call.signal, { kind: 'cancelled' }),
    timePasses(clock, PATIENCE_MS, { kind: 'pending' }),
    comes<Outcome>(outcome),
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

type Outcome =
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
