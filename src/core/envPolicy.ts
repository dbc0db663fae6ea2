import { ExecError } from './errors.js';

/**
 * The variables of a process: names to values. Names keep their spelling; Windows ignores case when it compares them.
 */
export type Variables = Readonly<Record<string, string>>;

/** The variables of a program as Node has them in `process.env`: some may be undefined. */
export type HostVariables = Readonly<Record<string, string | undefined>>;

/**
 * The rules that make the variables of a child out of those of its host. The steps are taken in the order of the
 * members.
 */
export interface EnvPolicy {
  /** The variables to begin with: all variables of the host, its core variables, or no variables. */
  readonly inherit: 'all' | 'core' | 'none';
  /** Unless this is true, names that contain KEY, SECRET or TOKEN in any case are dropped. */
  readonly ignoreDefaultExcludes: boolean;
  /** Names to drop. Patterns match the whole name and ignore case; `*` is any text, `?` any one character. */
  readonly exclude: readonly string[];
  /** Variables to set, even if they were dropped before. */
  readonly set: Variables;
  /** If there are any, only names that match one of these patterns stay. This applies to `set` as well. */
  readonly includeOnly: readonly string[];
}

/**
 * The variable that names the session of a process, see `local/marks/sessionMark`. Its name does not begin with
 * EXEC_SESSIONS_; sessions do not get the variables of the extension that begin so.
 */
export const MARK_VARIABLE = 'EXEC_SESSION_ID';

const DEFAULT_EXCLUDES = ['*KEY*', '*SECRET*', '*TOKEN*'];

const CORE_UNIX = 'PATH SHELL TMPDIR TEMP TMP HOME LANG LC_ALL LC_CTYPE LOGNAME USER'.split(' ');

const CORE_WINDOWS = (
  'PATH PATHEXT SHELL COMSPEC SYSTEMROOT SYSTEMDRIVE USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH ' +
  'PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 PROGRAMDATA LOCALAPPDATA APPDATA TEMP TMP TMPDIR POWERSHELL PWSH'
).split(' ');

/**
 * The most steps that the patterns of one list may take. They block the process for some tenths of a second. The names
 * of a machine's usual variables have about 2,000 characters, which leaves 50,000 to the patterns.
 */
const MOST_STEPS = 100_000_000;

/** The default of PATHEXT. Without it, Windows finds no program that is named without its extension. */
const WINDOWS_PATHEXT = '.COM;.EXE;.BAT;.CMD';

/**
 * Makes the variables of a child.
 *
 * @param policy Without one the child gets exactly `overlay`.
 * @param overlay Laid over the outcome of the policy and not filtered by it.
 * @throws ExecError if there are too many patterns for this many variables.
 */
export function childVariables(options: {
  host: HostVariables;
  policy?: EnvPolicy | undefined;
  overlay: Variables;
  windows: boolean;
}): Record<string, string> {
  const { host, policy, overlay, windows } = options;
  if (policy === undefined) {
    return { ...overlay };
  }
  let variables = inherited(host, policy.inherit, windows);
  if (!policy.ignoreDefaultExcludes) {
    variables = without(variables, DEFAULT_EXCLUDES);
  }
  variables = without(variables, policy.exclude);
  variables = assign(variables, policy.set, windows);
  if (policy.includeOnly.length > 0) {
    variables = [...matching(variables, policy.includeOnly)];
  }
  if (windows && !variables.some(([name]) => identityOf(name, windows) === 'PATHEXT')) {
    variables = [...variables, ['PATHEXT', WINDOWS_PATHEXT]];
  }
  return Object.fromEntries(assign(variables, overlay, windows));
}

type Variable = readonly [name: string, value: string];

function inherited(host: HostVariables, inherit: EnvPolicy['inherit'], windows: boolean): Variable[] {
  if (inherit === 'none') {
    return [];
  }
  const all = Object.entries(host).flatMap(([name, value]): Variable[] =>
    value === undefined ? [] : [[name, value]],
  );
  const core = new Set(windows ? CORE_WINDOWS : CORE_UNIX);
  return inherit === 'all' ? all : all.filter(([name]) => core.has(name.toUpperCase()));
}

function without(variables: readonly Variable[], patterns: readonly string[]): Variable[] {
  const dropped = matching(variables, patterns);
  return variables.filter((variable) => !dropped.has(variable));
}

/** Later values win; on Windows also over the same name in another spelling. */
function assign(variables: readonly Variable[], values: Variables, windows: boolean): Variable[] {
  const added = Object.entries(values);
  const names = new Set(added.map(([name]) => identityOf(name, windows)));
  return [...variables.filter(([name]) => !names.has(identityOf(name, windows))), ...added];
}

/** The form of a name that is the same for all its spellings. */
function identityOf(name: string, windows: boolean): string {
  return windows ? name.toUpperCase() : name;
}

/** @throws ExecError if matching would block the process for too long. */
function matching(variables: readonly Variable[], patterns: readonly string[]): ReadonlySet<Variable> {
  const steps = lengthOf(patterns) * lengthOf(variables.map(([name]) => name));
  if (steps > MOST_STEPS) {
    throw new ExecError({ kind: 'tooManyPatterns' });
  }
  const folded = patterns.map((pattern) => fold(pattern));
  const matches = ([name]: Variable) => {
    const characters = fold(name);
    return folded.some((pattern) => matchesWildcard(characters, pattern));
  };
  return new Set(variables.filter(matches));
}

/** The length of all texts. Each counts as one character more, since an empty one takes a step as well. */
function lengthOf(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length + 1, 0);
}

/** A name or a pattern, character by character, with its case folded. */
type Folded = readonly string[];

/** Folds the case of a text. Characters are Unicode code points, so that `?` matches one of them. */
export function fold(text: string): Folded {
  return Array.from(text, (character) => character.toLowerCase());
}

/**
 * Whether the pattern matches the whole name: `*` is any text, `?` any one character. It takes at most as many steps as
 * the product of both lengths. Only the last `*` ever has to take more: more for an earlier one would leave less to
 * those after it.
 */
export function matchesWildcard(name: Folded, pattern: Folded): boolean {
  let at = 0;
  let next = 0;
  let lastStar = -1;
  let afterStar = 0;
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === '*') {
      lastStar = next;
      afterStar = at;
      next += 1;
    } else if (wanted === '?' || (wanted !== undefined && wanted === name[at])) {
      at += 1;
      next += 1;
    } else if (lastStar >= 0) {
      afterStar += 1;
      at = afterStar;
      next = lastStar + 1;
    } else {
      return false;
    }
  }
  while (pattern[next] === '*') {
    next += 1;
  }
  return next === pattern.length;
}
