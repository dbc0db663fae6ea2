import type { ToolName } from '../tool.js';

const SESSION = { session_id: 'session', id: 'session', shell_id: 'session', bash_id: 'session' };
const BUDGET = { max_tokens: 'max_output_tokens' };
const CASE = { case_insensitive: 'ignore_case' };
const WAIT = { timeout_ms: 'yield_time_ms' };

/**
 * The commonest other names that models use for the properties of the tools, out of habit with other programs. Any
 * further name is an error, so that nothing that a model wants is dropped.
 */
export const INPUT_ALIASES: Readonly<Record<ToolName, Readonly<Record<string, string>>>> = {
  exec_command: {
    ...WAIT,
    ...BUDGET,
    command: 'cmd',
    cwd: 'workdir',
    dir: 'workdir',
    working_directory: 'workdir',
    pty: 'tty',
    cols: 'columns',
    env_vars: 'env',
    description: 'title',
  },
  write_stdin: {
    ...SESSION,
    ...WAIT,
    ...BUDGET,
    input: 'chars',
    text: 'chars',
    data: 'chars',
    key: 'keys',
    close_stdin: 'close',
  },
  read_output: {
    ...SESSION,
    ...BUDGET,
    ...CASE,
    since: 'cursor',
    from: 'cursor',
    pattern: 'search',
    regex: 'search',
    query: 'search',
    lines: 'tail',
    last_lines: 'tail',
  },
  wait_for: {
    ...SESSION,
    ...BUDGET,
    ...CASE,
    session_ids: 'sessions',
    regex: 'pattern',
    search: 'pattern',
    text: 'pattern',
    since: 'from',
    cursor: 'from',
    yield_time_ms: 'timeout_ms',
  },
  list_sessions: {},
  stop_session: { ...SESSION, kill: 'force' },
  send_signal: { ...SESSION, sig: 'signal' },
};

/** Properties of other programs that change nothing about the call, and are ignored. */
export const HARMLESS: ReadonlySet<string> = new Set([
  // Every session goes on in the background when the wait is over.
  'background',
  'is_background',
  'run_in_background',
  'description',
  'explanation',
  'goal',
  'intent',
  'justification',
  'prefix_rule',
  'reason',
  'sandbox_permissions',
  'thought',
]);
