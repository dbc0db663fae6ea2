import {
  checkVariable,
  type Command,
  type Localizer,
  messageOf,
  shorten,
  type VariableChanges,
} from '../../core/index.js';

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/**
 * The beginning of a JSON list of strings. Text that begins like this is hardly meant for a shell: `[ -f x ]` has no
 * quote there.
 */
const JSON_ARRAY = /^\[\s*("|\])/;

export function parseCommandInput(text: string, l10n: Localizer): Parsed<Command> {
  const trimmed = text.trim();
  if (trimmed === '') {
    return { ok: false, message: l10n.t('There is no command to start. Type one.') };
  }
  if (!JSON_ARRAY.test(trimmed)) {
    return { ok: true, value: { kind: 'commandLine', commandLine: trimmed } };
  }
  let list: unknown;
  try {
    list = JSON.parse(trimmed);
  } catch (error) {
    const reason = messageOf(error);
    return {
      ok: false,
      message: l10n.t(
        'This looks like an argument list, but it is not valid JSON: {0}. An example: ["ls", "-l"].',
        reason,
      ),
    };
  }
  const argv = parseArgv(list, l10n);
  return argv.ok ? { ok: true, value: { kind: 'argv', argv: argv.value } } : argv;
}

/** An argument list from outside: strings, at least one, the first not empty. */
export function parseArgv(value: unknown, l10n: Localizer): Parsed<readonly string[]> {
  if (!Array.isArray(value)) {
    return {
      ok: false,
      message: l10n.t(
        'The argument list must be a list of strings, such as ["ls", "-l"]; it is {0}.',
        describeValue(value),
      ),
    };
  }
  const items: readonly unknown[] = value;
  const wrong = items.findIndex((item) => typeof item !== 'string');
  if (wrong >= 0) {
    return {
      ok: false,
      message: l10n.t(
        'The argument list must be a list of strings, but item {0} is {1}.',
        wrong + 1,
        describeValue(items[wrong]),
      ),
    };
  }
  const argv = items.filter((item) => typeof item === 'string');
  if (argv.length === 0 || argv[0] === '') {
    return {
      ok: false,
      message: l10n.t('There is no command to start: the argument list names no program.'),
    };
  }
  return { ok: true, value: argv };
}

const SHOWN_LENGTH = 80;

/** A value from outside, as a message shows it: as JSON, shortened. */
export function describeValue(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // The value is circular, or has a bigint in it.
  }
  return shorten(text ?? typeof value, SHOWN_LENGTH);
}

/** One assignment: a name, and a value that may be in quotes. */
const ASSIGNMENT = /\s*([^\s=]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']\S*|))(?=\s|$)/y;

/** Reads variables as a person types them: `NAME=value OTHER="two words"`. Nothing in a value is replaced. */
export function parseVariableInput(text: string, l10n: Localizer): Parsed<VariableChanges> {
  const found: [name: string, value: string][] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    ASSIGNMENT.lastIndex = at;
    const match = ASSIGNMENT.exec(text);
    const [, name = '', double, single, plain] = match ?? [];
    if (match === null || checkVariable(name, '') !== 'ok') {
      return {
        ok: false,
        message: l10n.t(
          'Write variables as NAME=value, with spaces between them: DEBUG=1 TITLE="two words".',
        ),
      };
    }
    found.push([name, double ?? single ?? plain ?? '']);
    at = ASSIGNMENT.lastIndex;
  }
  return { ok: true, value: Object.fromEntries(found) };
}

/** Writes variables so that {@link parseVariableInput} reads them. Removals of variables are left out. */
export function variableInput(changes: VariableChanges): string {
  return Object.entries(changes)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${quoted(value)}`]))
    .join(' ');
}

function quoted(value: string): string {
  if (value !== '' && !/[\s"']/.test(value)) {
    return value;
  }
  return value.includes('"') ? `'${value}'` : `"${value}"`;
}
