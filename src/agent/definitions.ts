import type { ToolDefinition, ToolName } from './tool.js';

/** The bounds and defaults that the descriptions name and the checks use. Times are in milliseconds. */
export const TOOL_LIMITS = {
  /** The longest wait of a call that collects output: most clients give up on a call after a minute. */
  yieldMs: { exec: 10_000, write: 250, max: 60_000 },
  waitMs: { default: 60_000, max: 1_800_000 },
  /** 100,000 tokens are 400,000 bytes; a log keeps 1 MiB. */
  outputTokens: { default: 10_000, min: 256, max: 100_000 },
} as const;

/** Signals that have the same meaning on every POSIX machine. The backend tells which of them its machine takes. */
export const SIGNAL_NAMES = [
  'SIGINT',
  'SIGTERM',
  'SIGKILL',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGSTOP',
  'SIGTSTP',
  'SIGCONT',
  'SIGWINCH',
] as const;

const session = {
  type: 'integer',
  minimum: 1,
  description: 'The number that exec_command answered with, as "Session N". list_sessions shows them all.',
};

const outputTokens = {
  type: 'integer',
  minimum: TOOL_LIMITS.outputTokens.min,
  maximum: TOOL_LIMITS.outputTokens.max,
  default: TOOL_LIMITS.outputTokens.default,
  description:
    'The most output to answer with, in tokens of about 4 bytes. Of more output you get the beginning, the end and the lines between that look like errors; what is left out is named, with a cursor to read it.',
};

const ignoreCase = {
  type: 'boolean',
  default: false,
  description: 'The regular expression matches upper and lower case alike.',
};

function yieldTime(defaultMs: number, until: string) {
  return {
    type: 'integer',
    minimum: 0,
    maximum: TOOL_LIMITS.yieldMs.max,
    default: defaultMs,
    description: `How many milliseconds to wait for output ${until}. The process goes on afterwards.`,
  };
}

function input(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): ToolDefinition['inputSchema'] {
  return { type: 'object', properties, required, additionalProperties: false };
}

const execCommand: ToolDefinition = {
  name: 'exec_command',
  title: 'Run Command',
  description: [
    'Starts a command as a session that people see as well, waits a little, and answers with its output so far, its state (running, or how it ended) and its session number.',
    'A command that has not ended when the wait is over goes on in the background: read it with read_output, wait for it with wait_for, end it with stop_session. Do not start it again.',
    'It answers early when the command has ended. Output is plain text: colours are removed, progress bars are shown as they ended.',
    'Use tty=true for programs that ask questions or draw on the screen (a REPL, an editor, ssh, a password prompt), stdin=true for programs that read lines from a pipe.',
    'Do not use it to look at a command that runs already (read_output), to type into one (write_stdin), to wait with sleep (wait_for), to kill processes by name (stop_session), or to read and write files if you have tools for that. Do not put "&" or nohup in the command: every session is in the background anyway, and can be found again.',
  ].join(' '),
  readOnly: false,
  inputSchema: input({
    cmd: {
      type: 'string',
      minLength: 1,
      description: 'A command line for the shell of the environment. Give either this or argv.',
    },
    argv: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description:
        'A program and its arguments, which no shell touches: nothing needs to be quoted. Give either this or cmd.',
    },
    workdir: {
      type: 'string',
      minLength: 1,
      description:
        'The directory to run in; a relative one is below that of the environment, which is the default.',
    },
    tty: {
      type: 'boolean',
      default: false,
      description: 'Give it a terminal. Without one, output is cleaner and stdout and stderr are pipes.',
    },
    stdin: {
      type: 'boolean',
      default: false,
      description:
        'Keep its standard input, a pipe, open for write_stdin. Not needed with tty; without both the command reads end of file.',
    },
    yield_time_ms: yieldTime(TOOL_LIMITS.yieldMs.exec, 'or the end of the command'),
    max_output_tokens: outputTokens,
    environment: {
      type: 'string',
      minLength: 1,
      description:
        'Where to run it: the id of an environment. The default is the first that list_sessions names.',
    },
    title: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'What people see the session called, for example "dev server". The default is the command.',
    },
  }),
};

const writeStdin: ToolDefinition = {
  name: 'write_stdin',
  title: 'Type into Session',
  description: [
    'Sends characters to the input of a running session, waits a little, and answers with the output since your last look and the state.',
    'Exactly the given characters are sent: end a line with "\\n", press Ctrl-C with "\\u0003", Ctrl-D with "\\u0004", Escape with "\\u001b", cursor up with "\\u001b[A". With no characters it only waits.',
    'A session without a terminal takes input only if it was started with stdin=true; "\\u0003" alone interrupts any session.',
    'Do not send passwords, passphrases or other secrets, and do not ask people for them: when a program asks for one, a person is asked to type it in the terminal.',
    'Do not call it again and again to wait for something: wait_for does that in one call. Do not use it to end a session: stop_session reports what is left.',
  ].join(' '),
  readOnly: false,
  inputSchema: input(
    {
      session,
      chars: {
        type: 'string',
        default: '',
        description: 'The characters to send, as they are. Empty sends nothing.',
      },
      yield_time_ms: yieldTime(TOOL_LIMITS.yieldMs.write, 'afterwards, or for the end of the command'),
      max_output_tokens: outputTokens,
      close: {
        type: 'boolean',
        default: false,
        description: 'Then end the input: a pipe is closed, and in a terminal Ctrl-D is pressed.',
      },
    },
    ['session'],
  ),
};

const readOutput: ToolDefinition = {
  name: 'read_output',
  title: 'Read Session Output',
  description: [
    'Reads the output of a session, running or ended, and never waits.',
    'Without a cursor it answers with what is new since your last look. With a cursor it answers with a page that begins there and has no holes, and the cursor of the next page; "0" is the beginning. With search it answers with the lines that match a regular expression, each with its cursor. With mode "screen" it answers with what a person would see in the terminal now, which is what you want for an editor, a menu or a REPL.',
    'Do not use it to wait for output (wait_for), and do not page through everything when search finds the place.',
  ].join(' '),
  readOnly: true,
  inputSchema: input(
    {
      session,
      cursor: {
        type: 'string',
        pattern: '^\\d{1,15}(\\+\\d{1,15})?$',
        description: 'Where to begin: a cursor out of an earlier answer, or "0" for the beginning.',
      },
      max_output_tokens: outputTokens,
      mode: {
        type: 'string',
        enum: ['plain', 'screen'],
        default: 'plain',
        description:
          'plain: the output as text. screen: the terminal as it looks now; only with tty, and alone.',
      },
      search: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description:
          'A regular expression (RE2: no backreferences, no lookaround). Only lines that match are answered.',
      },
      ignore_case: ignoreCase,
    },
    ['session'],
  ),
};

const waitFor: ToolDefinition = {
  name: 'wait_for',
  title: 'Wait for Session',
  description: [
    'Waits until one of the given conditions is met, and says which: the command has ended (exit), its output has ended as well (closed), a line of the output matches a regular expression (pattern), a TCP port of the machine is listened on (port), or nothing was printed for so long (quiet_ms). Give at least one.',
    'Use it instead of sleeping or asking again and again, for example after a server was started: pattern "ready|listening" or its port. Output that is there already counts, so a line that came early is not missed.',
    'It also returns when the command ends, when the program waits for a secret, and when the time is over, which is no error and leaves the session running. It answers with the output since your last look, too.',
    'Do not use it only to read (read_output), or right after exec_command has answered that the command has ended.',
  ].join(' '),
  readOnly: true,
  inputSchema: input(
    {
      session,
      exit: { type: 'boolean', default: false, description: 'Until the command has ended.' },
      closed: {
        type: 'boolean',
        default: false,
        description:
          'Until it has ended and nothing holds its output open any more, such as a child in the background.',
      },
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description:
          'Until a line matches this regular expression (RE2: no backreferences, no lookaround). The unfinished last line counts.',
      },
      ignore_case: ignoreCase,
      port: {
        type: 'integer',
        minimum: 1,
        maximum: 65_535,
        description: 'Until something listens on this TCP port of the machine that the session runs on.',
      },
      quiet_ms: {
        type: 'integer',
        minimum: 1,
        maximum: TOOL_LIMITS.waitMs.max,
        description: 'Until nothing was printed for so many milliseconds. It says nothing about success.',
      },
      from: {
        type: 'string',
        pattern: '^\\d{1,15}(\\+\\d{1,15})?$',
        description:
          'Only output after this cursor counts for pattern. The default is all output that is retained.',
      },
      timeout_ms: {
        type: 'integer',
        minimum: 0,
        maximum: TOOL_LIMITS.waitMs.max,
        default: TOOL_LIMITS.waitMs.default,
        description: 'How many milliseconds to wait at most.',
      },
      max_output_tokens: outputTokens,
    },
    ['session'],
  ),
};

const listSessions: ToolDefinition = {
  name: 'list_sessions',
  title: 'List Sessions',
  description: [
    'Lists your sessions, the running ones first, with number, state, age, command and directory, and the environments that commands can run in.',
    'Ended sessions stay listed with how they ended. Use it when you do not know a session number any more, and before you start something that may be running already.',
    'Do not use it to read output (read_output) or to wait (wait_for).',
  ].join(' '),
  readOnly: true,
  inputSchema: input({
    all: { type: 'boolean', default: false, description: "Other agents' sessions as well." },
  }),
};

const stopSession: ToolDefinition = {
  name: 'stop_session',
  title: 'Stop Session',
  description: [
    'Ends a session with everything that it has started: an interrupt first, then step by step up to a kill, each with a little time to take effect. It answers with what really happened: which steps were needed, how the command ended, and which processes are left, if any.',
    'Its output stays readable. Stop what you have started when it is needed no more.',
    'Do not use it for a single Ctrl-C that the program should survive (write_stdin "\\u0003" or send_signal), and never kill by name (pkill, killall): that hits processes of others.',
  ].join(' '),
  readOnly: false,
  inputSchema: input(
    {
      session,
      force: {
        type: 'boolean',
        default: false,
        description: 'Kill it at once. The program cannot clean up.',
      },
    },
    ['session'],
  ),
};

const sendSignal: ToolDefinition = {
  name: 'send_signal',
  title: 'Send Signal to Session',
  description: [
    'Sends one POSIX signal to the process group of a running session, and answers with its state. The program decides what it does about it: SIGUSR1 or SIGHUP may make it reload, SIGSTOP suspends it and SIGCONT lets it go on.',
    'Do not use it to end a session: stop_session goes on when a signal is ignored, and reports what is left.',
  ].join(' '),
  readOnly: false,
  inputSchema: input(
    {
      session,
      signal: { type: 'string', enum: SIGNAL_NAMES, description: 'The signal to send to its process group.' },
    },
    ['session', 'signal'],
  ),
};

/** The definitions of all tools. Listing them loads no other file than this one. */
export const toolDefinitions: readonly ToolDefinition[] = [
  execCommand,
  writeStdin,
  readOutput,
  waitFor,
  listSessions,
  stopSession,
  sendSignal,
];

export function toolDefinition(name: ToolName): ToolDefinition {
  const found = toolDefinitions.find((definition) => definition.name === name);
  if (found === undefined) {
    throw new Error(`There is no tool called ${name}.`);
  }
  return found;
}
