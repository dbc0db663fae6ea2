import path from 'node:path';

import { type HostVariables, isRecord, type Sandbox, type SandboxPlace } from '../../core/index.js';
import { type ParamsOf, pathFromUri, WireCode, WireError } from '../../protocol/index.js';
import { MOST_SANDBOX_PLACES, MOST_SANDBOX_TEXT } from '../limits.js';

/**
 * Refuses a start that asks for a protection that this server never has: the client would rely on it.
 *
 * @throws WireError
 */
export function refuseOtherProtection(params: ParamsOf<'process/start'>): void {
  const asked = [
    params.enforceManagedNetwork === true && 'enforceManagedNetwork',
    isGiven(params.managedNetwork) && 'managedNetwork',
    isGiven(params.networkProxy) && 'networkProxy',
    isGiven(params.shellSnapshot) && 'shellSnapshot',
  ].find((name) => name !== false);
  if (asked !== undefined) {
    throw refusal(asked, 'ask for it without, or use another server');
  }
}

/** The facts of a request that its sandbox depends on. */
interface Surroundings {
  /** The directory in which a relative TMPDIR lies. */
  readonly cwd: string;
  /** The variables of the program. They are made only for a place that needs them. */
  readonly variables: () => HostVariables;
}

/**
 * Reads the `sandbox` of a request in the form of Codex. A member that would have to be ignored is refused by its name.
 *
 * @returns undefined if the client asks for no sandbox.
 * @throws WireError
 */
export function decodeSandbox(given: unknown, surroundings: Surroundings): Sandbox | undefined {
  if (!isGiven(given)) {
    return undefined;
  }
  const asked = membersOf(given, 'sandbox', [
    'permissions',
    'cwd',
    'workspaceRoots',
    'policyContext',
    'userHomeDir',
    'useLegacyLandlock',
    'windowsSandboxLevel',
    'windowsSandboxProxySettingsMode',
  ]);
  if (asked.useLegacyLandlock === true) {
    throw refusal('useLegacyLandlock', 'ask for it without');
  }
  const permissions = membersOf(asked.permissions, 'permissions', ['type', 'file_system', 'network']);
  if (oneOf(permissions.type, 'permissions.type', ['managed', 'disabled']) === 'disabled') {
    return undefined;
  }
  const files = membersOf(permissions.file_system, 'permissions.file_system', ['type', 'entries']);
  oneOf(files.type, 'permissions.file_system.type', ['restricted']);
  const entries = listOf(files.entries, 'permissions.file_system.entries');
  // File methods name the roots once more; these count.
  const { workspaceRoots } = isGiven(asked.policyContext)
    ? membersOf(asked.policyContext, 'policyContext', ['cwd', 'workspaceRoots'])
    : asked;
  const roots = listOf(workspaceRoots ?? [], 'workspaceRoots').map((root) => pathOf(root, 'workspaceRoots'));
  const places: SandboxPlace[] = [];
  for (const entry of entries) {
    places.push(...placesOf(entry, roots, surroundings));
    if (places.length > MOST_SANDBOX_PLACES) {
      throw refusal('workspaceRoots', `ask for at most ${MOST_SANDBOX_PLACES} places in all`);
    }
  }
  if (!places.some((place) => place.path === '/')) {
    throw refusal('permissions.file_system.entries', 'add an entry that reads the root');
  }
  const network = oneOf(permissions.network, 'permissions.network', ['restricted', 'enabled']) === 'enabled';
  return { places, network };
}

function placesOf(given: unknown, roots: readonly string[], surroundings: Surroundings): SandboxPlace[] {
  const where = 'permissions.file_system.entries';
  const entry = membersOf(given, where, ['path', 'access', 'missing_path_behavior']);
  const access = oneOf(entry.access, `${where}.access`, ['read', 'write']);
  if (isGiven(entry.missing_path_behavior)) {
    // A place that is missing is protected all the same.
    oneOf(entry.missing_path_behavior, `${where}.missing_path_behavior`, ['skip']);
  }
  const place = membersOf(entry.path, `${where}.path`, ['type', 'path', 'value', 'pattern']);
  const paths =
    oneOf(place.type, `${where}.path.type`, ['path', 'special']) === 'path'
      ? [pathOf(place.path, `${where}.path.path`)]
      : specialPaths(place.value, `${where}.path.value`, roots, surroundings);
  return paths.map((at) => ({ path: at, access }));
}

function specialPaths(
  given: unknown,
  where: string,
  roots: readonly string[],
  { cwd, variables }: Surroundings,
): readonly string[] {
  const { kind, subpath = null } = membersOf(given, where, ['kind', 'subpath']);
  const known = oneOf(kind, `${where}.kind`, ['root', 'project_roots', 'slash_tmp', 'tmpdir']);
  if (known !== 'project_roots') {
    membersOf(given, where, ['kind']);
  }
  switch (known) {
    case 'project_roots':
      return subpath === null ? roots : roots.map((root) => path.join(root, insideOf(subpath, where)));
    case 'root':
      return ['/'];
    case 'slash_tmp':
      return ['/tmp'];
    case 'tmpdir': {
      const { TMPDIR = '' } = variables();
      return TMPDIR === '' ? [] : [path.resolve(cwd, TMPDIR)];
    }
  }
}

function insideOf(subpath: unknown, where: string): string {
  const text = textOf(subpath, `${where}.subpath`);
  if (text.startsWith('/') || text.includes('\0') || text.split('/').includes('..')) {
    throw refusal(`${where}.subpath`, 'ask for one that stays in its root');
  }
  return text;
}

function pathOf(uri: unknown, where: string): string {
  return pathFromUri(textOf(uri, where));
}

function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.length > MOST_SANDBOX_TEXT) {
    throw refusal(where, `ask for a text of at most ${MOST_SANDBOX_TEXT} characters`);
  }
  return value;
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MOST_SANDBOX_PLACES) {
    throw refusal(where, `ask for a list of at most ${MOST_SANDBOX_PLACES}`);
  }
  return value;
}

function oneOf<T extends string>(value: unknown, where: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) {
    const other = typeof value === 'string' ? `${where}: ${value.slice(0, MOST_NAME)}` : where;
    throw refusal(other, `ask for ${known.map((one) => `"${one}"`).join(' or ')}`);
  }
  return found;
}

/** The members of an object, if it has no other one whose value is not null. */
function membersOf<M extends string>(
  value: unknown,
  where: string,
  known: readonly M[],
): Readonly<Partial<Record<M, unknown>>> {
  if (!isRecord(value)) {
    throw refusal(where, 'ask for an object');
  }
  const names: readonly string[] = known;
  const other = Object.keys(value).find((name) => isGiven(value[name]) && !names.includes(name));
  if (other !== undefined) {
    throw refusal(`${where}.${other.slice(0, MOST_NAME)}`, 'ask for it without');
  }
  return value as Readonly<Partial<Record<M, unknown>>>;
}

/** The most characters of a name or a value that an error repeats. */
const MOST_NAME = 100;

function refusal(member: string, cure: string): WireError {
  return new WireError(
    WireCode.invalidParams,
    `this exec-server cannot enforce \`${member}\`: nothing was done; ${cure}`,
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
