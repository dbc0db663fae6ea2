import * as z from 'zod/mini';

import { KEY_NAMES } from './keys.js';
import type { ToolDefinition, ToolName } from '../tool.js';

/**
 * The tools, each written once: the texts for models and people, and the input. The command `npm run tools` makes
 * `definitions.json` and the entries of package.json from them, so that listing the tools does not load zod.
 */

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The bounds and defaults that the descriptions name and the checks use. Times are in milliseconds. */
export const TOOL_LIMITS = {
  /** Clients bound a call to what they wait for its answer, most of them to less. */
  yieldMs: { exec: 10_000, write: 250, max: DAY_MS },
  waitMs: { default: 50_000, max: DAY_MS },
  /**
   * Gemini CLI cuts a reply of 40,000 characters, so the default leaves room for the lines before the output. The
   * maximum of 100,000 tokens is 400,000 bytes; a log keeps 1 MiB.
   */
  outputTokens: { default: 9_700, min: 256, max: 100_000 },
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

/** The largest side of a terminal that a command can ask for. Every cell is kept in memory. */
const MOST_CELLS = 500;
/** The most sessions that an agent may have. */
const MOST_SESSIONS = 64;
/** The most environments of one command. */
const MOST_ENVIRONMENTS = 8;
/** No caller reads more lines at once. */
const MOST_LINES = 100_000;

const { yieldMs, waitMs, outputTokens } = TOOL_LIMITS;

const session = sessionNumber('Required: the N of "Session N".');

function sessionNumber(description: string) {
  return z.int().check(z.minimum(1), z.describe(description));
}

/** Clients such as Codex show models only the bounds and defaults in the descriptions. */
const OUTPUT_RANGE = `${outputTokens.min} to ${outputTokens.max}, default ${outputTokens.default}`;

const maxOutputTokens = outputBudget(`As in exec_command (${OUTPUT_RANGE}).`);

function outputBudget(description: string) {
  return z
    ._default(z.int().check(z.minimum(outputTokens.min), z.maximum(outputTokens.max)), outputTokens.default)
    .check(z.describe(description));
}

const ignoreCase = flag('Upper and lower case match alike.');

function flag(description: string) {
  return z._default(z.boolean(), false).check(z.describe(description));
}

function text(description: string, longest?: number) {
  const bound = longest === undefined ? [] : [z.maxLength(longest)];
  return z.optional(z.string().check(z.minLength(1), ...bound, z.describe(description)));
}

function wholeNumber(description: string, largest: number) {
  return z.optional(z.int().check(z.minimum(1), z.maximum(largest), z.describe(description)));
}

function cursor(description: string) {
  return z.optional(z.string().check(z.regex(/^\d{1,15}(\+\d{1,15})?$/), z.describe(description)));
}

function yieldTime(defaultMs: number, until: string) {
  return z
    ._default(z.int().check(z.minimum(0), z.maximum(yieldMs.max)), defaultMs)
    .check(
      z.describe(`Milliseconds to wait for output ${until} (0 to ${yieldMs.max}, default ${defaultMs}).`),
    );
}

interface ToolSpec extends Pick<ToolDefinition, 'title' | 'description' | 'readOnly'> {
  readonly input: z.ZodMiniObject;
}

/** The tools, in the order in which they are listed. */
export const toolSpecs = {
  exec_command: {
    title: 'Run Command',
    description: [
      'Starts a command as a session that people see as well, and waits a little. The answer has its output so far, its state and its session number.',
      'A command that has not ended by then goes on in the background. Read it with read_output, wait for it with wait_for, end it with stop_session. Do not start it again.',
      'It answers early when the command has ended or asks. Output is plain text, without colours.',
      'Use tty=true for programs that ask questions or draw on the screen (a REPL, an editor, ssh, a password prompt). Use stdin=true for programs that read lines from a pipe.',
      'Do not use it to look at a running command (read_output), to type into one (write_stdin), or to wait with sleep (wait_for). Do not use it to kill processes by name (stop_session), or to read and write files if you have tools for that. Do not use "&" or nohup: every session is in the background.',
    ].join(' '),
    readOnly: false,
    input: z.strictObject({
      cmd: text('A command line for a shell. Give either this or argv.'),
      argv: z.optional(
        z.array(z.string()).check(z.minLength(1), z.describe('A program and its arguments, no shell.')),
      ),
      workdir: text(
        'The directory to run in; a relative one is below that of the environment, which is the default.',
      ),
      env: z.optional(
        z
          .record(z.string(), z.nullable(z.string()))
          .check(z.describe('Variables to set, {"NAME": "value"}; null takes one away.')),
      ),
      login: flag(
        'Run cmd in a login shell (bash -lc), which reads the profile: for programs not on the PATH.',
      ),
      tty: flag(
        'Give it a terminal. Without one, output is cleaner, and a pipe takes stdout and stderr, in order.',
      ),
      columns: wholeNumber('Its width (default 80).', MOST_CELLS),
      rows: wholeNumber('Its height (default 24).', MOST_CELLS),
      stdin: flag('Keep its standard input, a pipe, open for write_stdin; not needed with tty.'),
      separate_stderr: flag('Give stderr a pipe of its own. The order between the two outputs is then lost.'),
      keep: flag('Let it go on for hours after all have left. Otherwise it is stopped ten minutes later.'),
      keep_output: flag('Keep all output on disk, not only the newest MiB.'),
      again: flag('Start it even if it runs or its port is taken.'),
      yield_time_ms: yieldTime(yieldMs.exec, 'or the end of the command'),
      max_output_tokens: outputBudget(
        `The most output to answer with, in tokens of about 4 bytes (${OUTPUT_RANGE}). Longer output is shortened to its beginning, its end and the lines between that look like errors.`,
      ),
      environment: text(
        'Where to run it: the id of an environment. The default is the first that list_sessions names.',
      ),
      environments: z.optional(
        z
          .array(z.string())
          .check(z.minLength(1), z.maxLength(MOST_ENVIRONMENTS), z.describe('Or in each of these at once.')),
      ),
      sandbox: z.optional(
        z
          .union([
            z.strictObject({ write: z.optional(z.array(z.string())), network: z.optional(z.boolean()) }),
            z.boolean(),
          ])
          .check(
            z.describe(
              'true: it writes only to its directory and /tmp, without network. {"write": [DIR], "network": true} allows more.',
            ),
          ),
      ),
      title: text('The name that people see.', 200),
    }),
  },
  write_stdin: {
    title: 'Type into Session',
    description: [
      'Sends characters to the input of a running session, waits a little, and answers with the output since your last look and the state.',
      'Sends chars as they are, several lines as a paste or one by one, then presses keys. In a terminal Enter is "\\r" (or keys ["Enter"]); on a pipe a line ends with "\\n". Without both it only waits.',
      'A session without a terminal takes input only if it was started with stdin=true; keys ["C-c"] alone interrupts any session.',
      'Do not send passwords, passphrases or other secrets, and do not ask people for them. When a program asks for one, a person is asked to type it in the terminal.',
      'Do not call it again and again to wait: wait_for does that in one call. Do not use it to end a session: stop_session reports what is left.',
    ].join(' '),
    readOnly: false,
    input: z.strictObject({
      session,
      chars: z
        ._default(z.string(), '')
        .check(z.describe('The characters to send, as they are. Empty sends nothing.')),
      keys: z.optional(
        z
          .array(z.string())
          .check(z.describe(`Keys to press after chars, such as ["Down", "Enter"]: ${KEY_NAMES}.`)),
      ),
      yield_time_ms: yieldTime(yieldMs.write, 'afterwards, or for the end of the command'),
      max_output_tokens: maxOutputTokens,
      close: flag('Then end the input: a pipe is closed, and in a terminal Ctrl-D is pressed.'),
    }),
  },
  read_output: {
    title: 'Read Session Output',
    description: [
      'Reads the output of a session, running or ended, and never waits.',
      'Without a cursor it answers with what is new since your last look. With tail it answers with the last lines. With a cursor it answers with a page that begins there, without holes, and the cursor of the next page; "0" is the beginning. With search it answers with the lines that match a regular expression, each with its cursor. With mode "screen" it answers with what a person would see in the terminal now: use it for an editor, a menu or a REPL.',
      'Do not use it to wait for output (wait_for), and do not page through everything when search finds the place.',
    ].join(' '),
    readOnly: true,
    input: z.strictObject({
      session,
      cursor: cursor('Where to begin: a cursor out of an earlier answer, or "0" for the beginning.'),
      tail: wholeNumber('Answer with only the last so many lines. Not together with cursor.', MOST_LINES),
      max_output_tokens: maxOutputTokens,
      mode: z
        ._default(z.enum(['plain', 'screen']), 'plain')
        .check(
          z.describe(
            'plain (default): the output as text. screen: the terminal as it looks now; only with tty, and alone.',
          ),
        ),
      search: text(
        'A regular expression (RE2: no backreferences, no lookaround). Only lines that match are answered.',
        1000,
      ),
      ignore_case: ignoreCase,
    }),
  },
  wait_for: {
    title: 'Wait for Session',
    description: [
      'Waits until one of the given conditions is met, and says which: the command has ended (exit), or its output as well (closed). Or a line matches (pattern), a program listens on a TCP port (port), or nothing was printed for so long (quiet_ms). Without any of these it waits for the exit.',
      'Use it instead of sleeping or asking again and again, for example for a server: pattern "ready|listening" or its port. A line counts if it came since your last input and no answer has had it. The echo of what you type does not count.',
      'It also returns when the command ends, when the program asks something new or waits for a secret, and when the time is over. It answers with the output since your last look, too. One long wait costs less than several short ones.',
      'Do not use it only to read (read_output), or for a command that has ended.',
    ].join(' '),
    readOnly: true,
    input: z.strictObject({
      session: z.optional(sessionNumber('The N of "Session N". Give either this or sessions.')),
      sessions: z.optional(
        z
          .array(z.int().check(z.minimum(1)))
          .check(
            z.minLength(1),
            z.maxLength(MOST_SESSIONS),
            z.describe('Several at once: the first in which a condition is met ends the wait.'),
          ),
      ),
      all: flag('Wait for all of sessions: until a condition is met, or cannot be any more, in each.'),
      exit: flag('Until the command has ended.'),
      closed: flag('Until it has ended and nothing holds its output open any more.'),
      asks: flag('Until it asks a question in its terminal.'),
      pattern: text(
        'Until a line matches this regular expression (RE2). The unfinished last line counts.',
        1000,
      ),
      ignore_case: ignoreCase,
      port: wholeNumber(
        'Until the session, or anything started after it, listens on this TCP port. The reply says who listens.',
        65_535,
      ),
      quiet_ms: wholeNumber(
        `Until nothing was printed for so many milliseconds (1 to ${waitMs.default}). It says nothing about success.`,
        waitMs.default,
      ),
      from: cursor(
        'All lines after this cursor count for pattern, those that answers have had as well; "0" is the start.',
      ),
      timeout_ms: z
        ._default(z.int().check(z.minimum(0), z.maximum(waitMs.max)), waitMs.default)
        .check(z.describe(`Milliseconds to wait at most (0 to ${waitMs.max}, default ${waitMs.default}).`)),
      max_output_tokens: maxOutputTokens,
    }),
  },
  list_sessions: {
    title: 'List Sessions',
    description: [
      'Lists your sessions, the running ones first, with number, state, age, command and directory, and the environments that commands can run in.',
      'Ended sessions stay listed with how they ended. Use it when you do not know a session number any more.',
      'Do not use it to read output (read_output) or to wait (wait_for).',
    ].join(' '),
    readOnly: true,
    input: z.strictObject({
      all: flag("Other agents' sessions too."),
    }),
  },
  stop_session: {
    title: 'Stop Session',
    description: [
      'Ends a session with everything that it has started. An interrupt comes first, then stronger steps up to a kill, each with a little time to take effect. It answers with what really happened: which steps were needed, how the command ended, which processes are left, and the last output.',
      'Detached processes (a tmux server, a daemon) are named and go on, since they may be meant to. A second call with a pid ends that one process.',
      'The output of the session stays readable. Stop what you have started once you no longer need it.',
      'Do not use it for a single Ctrl-C that the program should survive (write_stdin keys ["C-c"] or send_signal). Never kill by name (pkill, killall): that hits processes of others.',
    ].join(' '),
    readOnly: false,
    input: z.strictObject({
      session,
      force: flag('Kill it at once. The program cannot clean up.'),
      pid: wholeNumber(
        'End only this process, one that an earlier answer has named as left running.',
        2 ** 31 - 1,
      ),
    }),
  },
  send_signal: {
    title: 'Send Signal to Session',
    description: [
      'Sends one POSIX signal to the process group of a running session, and answers with its effect: the state and the last output. The program decides what it does about it: SIGUSR1 or SIGHUP may make it reload, SIGSTOP suspends it and SIGCONT lets it go on.',
      'Do not use it to end a session: stop_session goes on when a signal is ignored, and reports what is left.',
    ].join(' '),
    readOnly: false,
    input: z.strictObject({
      session,
      signal: z.enum(SIGNAL_NAMES).check(z.describe(`Required: one of ${SIGNAL_NAMES.join(', ')}.`)),
    }),
  },
} as const satisfies Readonly<Record<ToolName, ToolSpec>>;

/** The input of a tool, checked and with the defaults filled in. */
export type ToolInput<N extends ToolName> = z.infer<(typeof toolSpecs)[N]['input']>;

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolSpecs, name);
}
