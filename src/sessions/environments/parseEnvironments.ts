import {
  ENGINES,
  isAbsoluteThere,
  isMemberName,
  isRecord,
  type Localizer,
  oneLine,
} from '../../core/index.js';
import { describeValue, parseArgv, type Parsed } from '../options/index.js';
import { nameInMessage } from '../words/index.js';
import { type EngineDefinition, type EnvironmentDefinition, LOCAL_ID } from '../list/index.js';

interface ParsedEnvironments {
  readonly definitions: readonly EnvironmentDefinition[];
  /** The entries with `members`. */
  readonly engines: readonly EngineDefinition[];
  /** The problems, in words, mostly of the entries that were left out. */
  readonly problems: readonly string[];
}

/** The most entries that are read. More would be of no use in a tree or a picker. */
const MOST_ENVIRONMENTS = 200;

/** Reads the list of environments. An invalid entry is left out; the others work. */
export function parseEnvironments(list: readonly unknown[], l10n: Localizer): ParsedEnvironments {
  const definitions: EnvironmentDefinition[] = [];
  const engines: EngineDefinition[] = [];
  const problems: string[] = [];
  if (list.length > MOST_ENVIRONMENTS) {
    problems.push(l10n.t('only the first {0} of {1} are taken', MOST_ENVIRONMENTS, list.length));
  }
  for (const [index, entry] of list.slice(0, MOST_ENVIRONMENTS).entries()) {
    const take = <T>(parsed: Parsed<T>, into: T[]): void => {
      if (parsed.ok) {
        into.push(parsed.value);
      } else {
        problems.push(l10n.t('{0}: {1}', placeOf(entry, index, l10n), parsed.message));
      }
    };
    const before = [...definitions, ...engines];
    if (isRecord(entry) && 'members' in entry) {
      take(parseEngine(entry, before, l10n), engines);
    } else {
      take(parseEnvironment(entry, before, l10n), definitions);
    }
  }
  return { definitions, engines, problems };
}

/** `number 2 ("build")` */
function placeOf(entry: unknown, index: number, l10n: Localizer): string {
  const id = isRecord(entry) ? entry['id'] : undefined;
  return typeof id === 'string' && id !== ''
    ? l10n.t('number {0} ("{1}")', index + 1, nameInMessage(id))
    : l10n.t('number {0}', index + 1);
}

/**
 * Reads one entry.
 *
 * @param before The environments before it, whose ids it must not have.
 */
export function parseEnvironment(
  entry: unknown,
  before: readonly { readonly id: string }[],
  l10n: Localizer,
): Parsed<EnvironmentDefinition> {
  if (!isRecord(entry)) {
    return wrong(l10n.t('it must be an object with "id", "kind", and "url" or "argv"'));
  }
  const common = parseCommon(entry, before, l10n);
  return common.ok ? parseTarget(entry, common.value, l10n) : common;
}

/** Reads an entry for members of an engine that come and go. */
function parseEngine(
  entry: Readonly<Record<string, unknown>>,
  before: readonly { readonly id: string }[],
  l10n: Localizer,
): Parsed<EngineDefinition> {
  const common = parseCommon(entry, before, l10n);
  if (!common.ok) {
    return common;
  }
  const { members, context, namespace } = entry;
  const kind = ENGINES.find((one) => one === entry['kind']);
  if (kind === undefined) {
    return wrong(l10n.t('"members" needs one of these for "kind": {0}', ENGINES.join(', ')));
  }
  if (typeof members !== 'string' || members.startsWith('-')) {
    return wrong(l10n.t('"members" must be a string that does not begin with "-"'));
  }
  if (!isOptionalName(context) || !isOptionalName(namespace)) {
    return wrong(l10n.t('"context" and "namespace" must be names'));
  }
  const { id, name, cwd } = common.value;
  return {
    ok: true,
    value: {
      ...{ id, name, kind, members },
      ...(cwd !== undefined && { cwd }),
      ...(context !== undefined && { context }),
      ...(namespace !== undefined && { namespace }),
    },
  };
}

/** Whether it is missing, or a name that no program reads as an option. */
function isOptionalName(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && /^[A-Za-z0-9][^\s]{0,300}$/.test(value));
}

type Common = Pick<EnvironmentDefinition, 'id' | 'name' | 'cwd' | 'folders'>;

/** Reads the parts that every kind of entry has. */
function parseCommon(
  entry: Readonly<Record<string, unknown>>,
  before: readonly { readonly id: string }[],
  l10n: Localizer,
): Parsed<Common> {
  const id = parseId(entry['id'], before, l10n);
  if (!id.ok) {
    return id;
  }
  if ('token' in entry) {
    return wrong(l10n.t('a token does not belong in the settings: use the command Set Token…'));
  }
  const { name, cwd, folders } = entry;
  if (name !== undefined && typeof name !== 'string') {
    return wrong(l10n.t('"name" must be a string'));
  }
  if (cwd !== undefined && (typeof cwd !== 'string' || !(cwd === '' || isAbsoluteThere(cwd)))) {
    return wrong(l10n.t('"cwd" must be an absolute path of that machine, or begin with "~"'));
  }
  if (folders !== undefined && !isFolders(folders)) {
    return wrong(l10n.t('"folders" must map absolute paths there to absolute paths on this machine'));
  }
  const value = {
    id: id.value,
    // A name of invisible characters alone counts as none.
    name: name === undefined || oneLine(name) === '' ? id.value : oneLine(name),
    ...(cwd !== undefined && cwd !== '' && { cwd }),
    ...(folders !== undefined && { folders }),
  };
  return { ok: true, value };
}

const KINDS = ['websocket', 'command', 'shell', ...ENGINES] as const;
const ID = /^[A-Za-z0-9_-]+$/;

function parseId(id: unknown, before: readonly { readonly id: string }[], l10n: Localizer): Parsed<string> {
  if (typeof id !== 'string' || !ID.test(id)) {
    return wrong(l10n.t('"id" must be made of letters, digits, "-" and "_"'));
  }
  if (id === LOCAL_ID) {
    return wrong(l10n.t('"local" is the id of this machine: choose another one'));
  }
  if (before.some((other) => other.id === id)) {
    return wrong(l10n.t('another environment has the id "{0}" already', id));
  }
  return { ok: true, value: id };
}

function parseTarget(
  entry: Readonly<Record<string, unknown>>,
  common: Common,
  l10n: Localizer,
): Parsed<EnvironmentDefinition> {
  const { kind, url, argv, target, context } = entry;
  const engine = ENGINES.find((one) => one === kind);
  if (engine !== undefined) {
    return typeof target === 'string' && isMemberName(engine, target) && isOptionalName(context)
      ? { ok: true, value: { ...common, kind: engine, target, ...(context !== undefined && { context }) } }
      : wrong(l10n.t('"{0}" needs "target", the name of one machine, or "members"', engine));
  }
  if ((url === undefined) === (argv === undefined)) {
    return wrong(l10n.t('it needs either "url" or "argv"'));
  }
  switch (kind) {
    case 'websocket': {
      const problem =
        url === undefined ? l10n.t('"websocket" needs "url", not "argv"') : problemOfUrl(url, l10n);
      return problem === undefined
        ? { ok: true, value: { ...common, kind, url: String(url) } }
        : wrong(problem);
    }
    case 'command':
    case 'shell': {
      if (argv === undefined) {
        return wrong(l10n.t('"{0}" needs "argv", not "url"', kind));
      }
      const parsed = parseArgv(argv, l10n);
      if (!parsed.ok) {
        return wrong(l10n.t('"argv" must be a list of strings, the program first'));
      }
      if (kind === 'shell') {
        return { ok: true, value: { ...common, kind, argv: parsed.value } };
      }
      const { finalExitCodes } = entry;
      if (finalExitCodes !== undefined && !isListOfExitCodes(finalExitCodes)) {
        return wrong(l10n.t('"finalExitCodes" must be a list of whole numbers from 1 to 255'));
      }
      const value = { ...common, kind, argv: parsed.value, ...(finalExitCodes && { finalExitCodes }) };
      return { ok: true, value };
    }
    default:
      return wrong(l10n.t('"kind" must be one of {0}; it is {1}', KINDS.join(', '), describeValue(kind)));
  }
}

function isFolders(value: unknown): value is Readonly<Record<string, string>> {
  const isWhole = (path: unknown) =>
    typeof path === 'string' && isAbsoluteThere(path) && !path.startsWith('~');
  return isRecord(value) && Object.entries(value).every((paths) => paths.every(isWhole));
}

function isListOfExitCodes(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) && value.every((code) => Number.isInteger(code) && Number(code) >= 1 && code <= 255)
  );
}

/**
 * The problem of an address, in words; undefined for a valid one. The address is not shown, since it may contain a
 * password.
 */
function problemOfUrl(value: unknown, l10n: Localizer): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !['ws:', 'wss:'].includes(url.protocol) || url.hostname === '') {
    return l10n.t('"url" must be an address that begins with ws:// or wss://');
  }
  if (url.username !== '' || url.password !== '') {
    return l10n.t(
      'a name, password or token does not belong in "url": take it out, and use the command Set Token…',
    );
  }
  return url.hash === '' ? undefined : l10n.t('"url" must not have a part that begins with "#"');
}

function wrong(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
