import {
  type BeforeStart,
  type Command,
  isRecord,
  type Localizer,
  type Sandbox,
  type SandboxWish,
  type TerminalSize,
  type VariableChanges,
} from '../../core/index.js';
import { describeValue, parseArgv, type Parsed } from './commandInput.js';
import { readVariables } from './variables.js';

/** The options that others may give for a session to start, checked. */
export interface CheckedStart {
  readonly command: Command;
  /** The text that people see in place of an argument list. */
  readonly shownAs?: string;
  /** The id of the environment to run it in; this machine by default. */
  readonly environment?: string | undefined;
  /** The directory as it was given; may be relative. */
  readonly cwd?: string | undefined;
  readonly env: VariableChanges;
  /** Whether the shell of a command line reads the user's profile. */
  readonly login?: boolean | undefined;
  /** The size of the terminal; by default the size of the terminal that people will probably see. */
  readonly size?: TerminalSize | undefined;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  /** Whether it gets the environment of its folder, if it runs on this machine. */
  readonly inFolderEnvironment?: true;
  /** The default depends on the starter. */
  readonly separateStderr?: boolean | undefined;
  readonly title?: string | undefined;
  readonly sandbox?: SandboxWish | Sandbox | undefined;
  /** The same for all starts of one command in several environments. */
  readonly batch?: string;
  readonly show: boolean;
  readonly before?: BeforeStart | undefined;
  readonly startedBy?: { readonly kind: 'extension' | 'agent'; readonly name?: string };
}

/**
 * Checks options from outside, whose types are not certain.
 *
 * @returns the checked options, or the first problem in words.
 */
export function parseStartOptions(value: unknown, l10n: Localizer): Parsed<CheckedStart> {
  if (!isRecord(value)) {
    return wrong(l10n.t('The options of a session must be an object; they are {0}.', describeValue(value)));
  }
  const command = parseCommand(value['argv'], value['commandLine'], l10n);
  if (!command.ok) {
    return command;
  }
  for (const name of ['cwd', 'title', 'environment'] as const) {
    if (value[name] !== undefined && typeof value[name] !== 'string') {
      return wrong(l10n.t('"{0}" must be a string; it is {1}.', name, describeValue(value[name])));
    }
  }
  for (const name of ['tty', 'pipeStdin', 'separateStderr', 'show'] as const) {
    if (value[name] !== undefined && typeof value[name] !== 'boolean') {
      return wrong(l10n.t('"{0}" must be true or false; it is {1}.', name, describeValue(value[name])));
    }
  }
  const env = parseEnv(value['env'], l10n);
  if (!env.ok) {
    return env;
  }
  const sandbox = parseSandbox(value['sandbox'], l10n);
  if (!sandbox.ok) {
    return sandbox;
  }
  const startedBy = parseStarter(value['startedBy'], l10n);
  if (!startedBy.ok) {
    return startedBy;
  }
  const { cwd, title, environment, separateStderr } = value as {
    cwd?: string;
    title?: string;
    environment?: string;
    separateStderr?: boolean;
  };
  return {
    ok: true,
    value: {
      command: command.value,
      ...(environment !== undefined && { environment }),
      ...(cwd !== undefined && cwd !== '' && { cwd }),
      env: env.value,
      tty: value['tty'] !== false,
      pipeStdin: value['pipeStdin'] === true,
      ...(separateStderr !== undefined && { separateStderr }),
      ...(title !== undefined && title.trim() !== '' && { title: title.trim() }),
      ...(sandbox.value && { sandbox: sandbox.value }),
      show: value['show'] !== false,
      ...(startedBy.value && { startedBy: startedBy.value }),
    },
  };
}

/** Checks variables from outside: each name has a text, or null if the session must not have the variable. */
function parseEnv(value: unknown, l10n: Localizer): Parsed<VariableChanges> {
  if (value === undefined) {
    return { ok: true, value: {} };
  }
  if (!isRecord(value)) {
    return wrong(l10n.t('"env" must be an object of names and values; it is {0}.', describeValue(value)));
  }
  const { changes, problems } = readVariables(value, l10n);
  const [problem] = problems;
  return problem === undefined ? { ok: true, value: changes } : wrong(problem);
}

function parseCommand(argv: unknown, commandLine: unknown, l10n: Localizer): Parsed<Command> {
  if ((argv === undefined) === (commandLine === undefined)) {
    return wrong(l10n.t('A session needs either "argv" or "commandLine".'));
  }
  if (commandLine === undefined) {
    const list = parseArgv(argv, l10n);
    return list.ok ? { ok: true, value: { kind: 'argv', argv: list.value } } : list;
  }
  if (typeof commandLine !== 'string' || commandLine.trim() === '') {
    return wrong(
      l10n.t('"commandLine" must be a string that is not empty; it is {0}.', describeValue(commandLine)),
    );
  }
  return { ok: true, value: { kind: 'commandLine', commandLine } };
}

function parseSandbox(value: unknown, l10n: Localizer): Parsed<SandboxWish | undefined> {
  if (value === undefined || value === false) {
    return { ok: true, value: undefined };
  }
  const given = value === true ? {} : value;
  const { write = [], network = false, ...others } = isRecord(given) ? given : { given };
  if (
    Object.keys(others).length > 0 ||
    typeof network !== 'boolean' ||
    !Array.isArray(write) ||
    !write.every((folder) => typeof folder === 'string' && folder !== '')
  ) {
    return wrong(
      l10n.t(
        '"sandbox" must be true, or { write: folders, network: true or false }; it is {0}.',
        describeValue(value),
      ),
    );
  }
  return { ok: true, value: { write, network } };
}

function parseStarter(value: unknown, l10n: Localizer): Parsed<CheckedStart['startedBy']> {
  if (value === undefined) {
    return { ok: true, value: undefined };
  }
  const { kind, name } = isRecord(value) ? value : {};
  if ((kind !== 'extension' && kind !== 'agent') || (name !== undefined && typeof name !== 'string')) {
    return wrong(
      l10n.t(
        '"startedBy" must be { kind: "extension" or "agent", name: string }; it is {0}.',
        describeValue(value),
      ),
    );
  }
  return { ok: true, value: { kind, ...(name !== undefined && { name }) } };
}

function wrong(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
