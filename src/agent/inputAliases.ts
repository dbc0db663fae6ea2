import type { ToolName } from './tool.js';

/**
 * What models call the properties of the tools, out of habit with those of other programs, in snake_case. Only names whose
 * meaning is beyond doubt are here: any other name is an error, so that nothing that a model wants is dropped.
 */

/** A property in the words of its tool. */
export interface Translation {
  /** The property; undefined if what was asked for is the case anyway. */
  readonly as?: string;
  readonly value?: unknown;
  /** Whether the property itself, if it is given as well, says more. */
  readonly weak?: boolean;
  /** What the model has to know, where it may have meant something else. */
  readonly note?: string;
}

/** Translates a value that has this name; undefined if the name does not fit such a value. */
type Alias = (value: unknown, name: string) => Translation | undefined;

/** Numbers that tell no unit are more probably seconds below this, and milliseconds from it on. */
const FIRST_MILLISECONDS = 1_000;
/** From this on nobody means seconds, so that nothing needs to be said. */
const SURELY_MILLISECONDS = 10_000;
/** The wait of a command that is to run in the background: enough to see it fail at once. */
const BACKGROUND_WAIT_MS = 1_000;

/** Another name for a property. */
function as(property: string, meaning = ''): Alias {
  return (value, name) => ({
    as: property,
    value,
    ...(meaning !== '' && { note: `${name} was taken as ${property}${meaning}.` }),
  });
}

/** A time in seconds. */
function seconds(property: string): Alias {
  return (value) => ({
    as: property,
    value: typeof value === 'number' ? value * 1_000 : `${String(value)} s`,
  });
}

/** A time whose name does not tell the unit; a text may tell it. */
function time(property: string, meaning = ''): Alias {
  return (value, name) => {
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number !== 'number' || Number.isNaN(number)) {
      return as(property, meaning)(value, name);
    }
    const inSeconds = number > 0 && number < FIRST_MILLISECONDS;
    const ms = inSeconds ? number * 1_000 : number;
    const unit = inSeconds ? ' (seconds)' : number < SURELY_MILLISECONDS ? ' (milliseconds)' : '';
    return {
      as: property,
      value: ms,
      ...((meaning !== '' || (unit !== '' && number > 0)) && {
        note: `${name}=${number}${unit} was taken as ${property}=${ms}${meaning}.`,
      }),
    };
  };
}

const command: Alias = (value) => ({ as: Array.isArray(value) ? 'argv' : 'cmd', value });

const background: Alias = (value, name) =>
  value === true || value === 'true'
    ? {
        as: 'yield_time_ms',
        value: BACKGROUND_WAIT_MS,
        weak: true,
        note: `${name} is no property: every session goes on in the background when the wait (yield_time_ms) is over.`,
      }
    : {};

/** `environment` is the place to run in, but with variables in it, it cannot be anything but `env`. */
const variables: Alias = (value) => (typeof value === 'object' ? { as: 'env', value } : undefined);

const waitsNot: Alias = (_, name) => ({
  note: `${name} was ignored: read_output never waits. wait_for does.`,
});

const SESSION = {
  session_id: as('session'),
  session_number: as('session'),
  session_name: as('session'),
  id: as('session'),
  shell_id: as('session'),
  bash_id: as('session'),
  task_id: as('session'),
  terminal_id: as('session'),
};

const BUDGET = {
  max_tokens: as('max_output_tokens'),
  output_tokens: as('max_output_tokens'),
  max_output: as('max_output_tokens'),
};

const CASE = {
  case_insensitive: as('ignore_case'),
  ignorecase: as('ignore_case'),
};

const CALL_WAIT_ENDS = ', which ends the wait and not the command';

const YIELD = {
  timeout_ms: as('yield_time_ms', CALL_WAIT_ENDS),
  timeout: time('yield_time_ms', CALL_WAIT_ENDS),
  timeout_seconds: seconds('yield_time_ms'),
  timeout_secs: seconds('yield_time_ms'),
  yield_time: time('yield_time_ms'),
  wait: time('yield_time_ms'),
  wait_ms: as('yield_time_ms'),
  wait_seconds: seconds('yield_time_ms'),
};

export const INPUT_ALIASES: Readonly<Record<ToolName, Readonly<Record<string, Alias>>>> = {
  exec_command: {
    ...YIELD,
    ...BUDGET,
    command,
    command_line: command,
    cmdline: command,
    bash_command: command,
    args: (value) => (Array.isArray(value) ? { as: 'argv', value } : undefined),
    cwd: as('workdir'),
    dir: as('workdir'),
    dir_path: as('workdir'),
    directory: as('workdir'),
    working_dir: as('workdir'),
    working_directory: as('workdir'),
    pty: as('tty'),
    terminal: as('tty'),
    interactive: as('tty'),
    background,
    run_in_background: background,
    is_background: background,
    detach: background,
    environment: variables,
    envs: as('env'),
    env_vars: as('env'),
    environment_variables: as('env'),
    environment_id: as('environment'),
    login_shell: as('login'),
    cols: as('columns'),
    name: as('title'),
    description: as('title'),
  },
  write_stdin: {
    ...SESSION,
    ...YIELD,
    ...BUDGET,
    input: as('chars'),
    text: as('chars'),
    data: as('chars'),
    characters: as('chars'),
    key: as('keys'),
    press: as('keys'),
    close_stdin: as('close'),
    eof: as('close'),
  },
  read_output: {
    ...SESSION,
    ...BUDGET,
    ...CASE,
    from: as('cursor'),
    after: as('cursor'),
    since: as('cursor'),
    from_cursor: as('cursor'),
    pattern: as('search'),
    regex: as('search'),
    grep: as('search'),
    filter: as('search'),
    query: as('search'),
    last: as('tail'),
    lines: as('tail'),
    last_lines: as('tail'),
    tail_lines: as('tail'),
    screen: (value) => (value === true || value === 'true' ? { as: 'mode', value: 'screen' } : {}),
    timeout: waitsNot,
    timeout_ms: waitsNot,
    yield_time_ms: waitsNot,
    wait_ms: waitsNot,
    block: waitsNot,
  },
  wait_for: {
    ...SESSION,
    session_ids: as('sessions'),
    ...BUDGET,
    ...CASE,
    regex: as('pattern'),
    search: as('pattern'),
    text: as('pattern'),
    match: as('pattern'),
    cursor: as('from'),
    since: as('from'),
    from_cursor: as('from'),
    quiet: time('quiet_ms'),
    idle: time('quiet_ms'),
    idle_ms: as('quiet_ms'),
    silence_ms: as('quiet_ms'),
    exited: as('exit'),
    timeout: time('timeout_ms'),
    timeout_seconds: seconds('timeout_ms'),
    timeout_secs: seconds('timeout_ms'),
    yield_time_ms: as('timeout_ms'),
    wait_ms: as('timeout_ms'),
    max_wait: time('timeout_ms'),
    max_wait_ms: as('timeout_ms'),
  },
  list_sessions: {
    all_agents: as('all'),
  },
  stop_session: {
    ...SESSION,
    kill: as('force'),
  },
  send_signal: {
    ...SESSION,
    sig: as('signal'),
    signal_name: as('signal'),
  },
};

/** Properties of other programs that change nothing about what is to be done, and are ignored. */
export const HARMLESS: ReadonlySet<string> = new Set([
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
