import {
  type BeforeStart,
  checkVariable,
  type Command,
  DEFAULT_TERMINAL_SIZE,
  inTheWay,
  portsToBe,
  readsProfile,
  type TerminalSize,
} from '../../core/index.js';
import type { AgentSession } from '../session/agentSession.js';
import type { ToolInput } from '../input/toolSpecs.js';
import { cancellable } from '../session/lock.js';
import { inTheWayText } from './inTheWayText.js';
import type { Answer } from './reply.js';
import { CallCancelled, ToolError } from '../toolError.js';
import type { ToolCall, ToolContext } from './toolCall.js';
import { waitForEnd } from './waitForEnd.js';

/** Starts a command and waits a little for it. */
export async function execCommand(
  { host, sessions, clock }: ToolContext,
  input: ToolInput<'exec_command'>,
  call: ToolCall,
): Promise<Answer> {
  if (call.signal.aborted) {
    throw new CallCancelled();
  }
  const { command, size } = checkStart(input);
  const before: BeforeStart = async (request, backend) => {
    const found = await inTheWay(request, input.env ?? {}, backend);
    if (found !== undefined) {
      throw new ToolError(inTheWayText(found, { reader: call.agent, sessions, now: clock.wallTime() }));
    }
  };
  // A start in progress continues when the call is cancelled, and its session is listed.
  const begin = () =>
    host.start(
      {
        command,
        cwd: input.workdir,
        env: input.env,
        login: input.login,
        size,
        tty: input.tty,
        pipeStdin: input.stdin && !input.tty,
        separateStderr: input.separate_stderr,
        environment: input.environment,
        title: nameOf(input),
        sandbox: input.sandbox,
        agent: call.agent.name,
        before: input.again ? undefined : before,
      },
      call.signal,
    );
  const remember = { ...(input.keep && { keep: true }), ...(input.keep_output && { keepOutput: true }) };
  const argv = command.kind === 'argv' ? command.argv : ['', command.commandLine];
  // The second of two starts at one port must meet the first.
  const inTurn = () => sessions.starts.run(begin);
  const starting = sessions.start(call.agent, portsToBe(argv)?.length ? inTurn : begin, remember);
  const session = await cancellable(starting, call.signal);
  session.knownApart = input.separate_stderr;
  const answer = await waitForEnd(session, input, call, clock);
  const near = sessions.warning(call.agent);
  const twin = sessions.list(call.agent).find((other) => isTwin(other, session));
  return {
    ...answer,
    started: true,
    lines: [
      ...(twin ? [`Session ${twin.id} is the same command, and still runs`] : []),
      ...(answer.lines ?? []),
    ],
    warnings: [
      ...(near === undefined ? [] : [near]),
      ...notDone(session, input, size),
      ...(answer.warnings ?? []),
    ],
  };
}

/** Whether another session is the same command in the same place, and still runs. */
function isTwin(other: AgentSession, { id, hosted }: AgentSession): boolean {
  const { commandLine, cwd, backend } = other.hosted;
  const isSame = commandLine === hosted.commandLine && cwd === hosted.cwd && backend === hosted.backend;
  return isSame && other.id !== id && other.running;
}

/** @throws ToolError if parts of the input do not go together. */
function checkStart(input: ToolInput<'exec_command'>): {
  readonly command: Command;
  readonly size: TerminalSize | undefined;
} {
  const command = commandOf(input);
  const problems = [
    ...Object.entries(input.env ?? {}).flatMap(([name, value]) => variableProblem(name, value)),
    ...(input.login && command.kind === 'argv'
      ? ['"login" needs "cmd": a shell reads the profile, and argv runs without one']
      : []),
  ];
  if (problems.length > 0) {
    throw new ToolError(`exec_command was not called: ${problems.join('; ')}.`);
  }
  const { tty, columns, rows } = input;
  const sized = tty && (columns !== undefined || rows !== undefined);
  return {
    command,
    size: sized
      ? {
          columns: columns ?? DEFAULT_TERMINAL_SIZE.columns,
          rows: rows ?? DEFAULT_TERMINAL_SIZE.rows,
        }
      : undefined,
  };
}

function variableProblem(name: string, value: string | null): readonly string[] {
  switch (checkVariable(name, value)) {
    case 'ok':
    case 'badValue':
      return [];
    case 'noName':
      return ['a variable of "env" has no name'];
    case 'badName':
      return [`${JSON.stringify(name)} in "env" is not a name of a variable`];
    case 'pattern':
      return [`${JSON.stringify(name)} in "env" cannot be taken away, because of the * or ? in it`];
  }
}

/** The requested options that had no effect, for the model. */
function notDone(
  session: AgentSession,
  { login, tty, columns, rows, keep, keep_output: keepOutput }: ToolInput<'exec_command'>,
  size: TerminalSize | undefined,
): readonly string[] {
  const { argv, size: actual = DEFAULT_TERMINAL_SIZE } = session.info();
  const [shell = ''] = argv;
  return [
    ...(login && !readsProfile(shell) ? [`login changed nothing: ${shell} has no profile to read.`] : []),
    ...(keep && session.info().owned !== true
      ? ['keep changed nothing: this session ends with the program that has started it.']
      : []),
    ...(keepOutput && !(session.info().owned === true && session.hosted.backend.capabilities.keptOutput)
      ? ['keep_output changed nothing: nothing is kept on disk there. Use "> FILE".']
      : []),
    ...(!tty && (columns !== undefined || rows !== undefined)
      ? ['columns and rows changed nothing: only a terminal has a size (tty=true).']
      : []),
    ...(size !== undefined && (actual.columns !== size.columns || actual.rows !== size.rows)
      ? [
          `the terminal has ${actual.columns} columns and ${actual.rows} rows: that machine's server gives no other size.`,
        ]
      : []),
  ];
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
