import { pathToFileURL } from 'node:url';

const uri = (path: string) => pathToFileURL(path).href;

/** An entry of a `sandbox` for one path. */
export const entry = (path: string, access: string) => ({ path: { type: 'path', path: uri(path) }, access });

/** An entry of a `sandbox` for a place that has a name. */
export const special = (kind: string, access: string, subpath?: string) => ({
  path: { type: 'special', value: { kind, ...(subpath !== undefined && { subpath }) } },
  access,
  ...(subpath !== undefined && { missing_path_behavior: 'skip' }),
});

/** The entries that the real client sends in workspace-write. */
export const WORKSPACE_WRITE: readonly object[] = [
  special('root', 'read'),
  special('project_roots', 'write'),
  special('slash_tmp', 'write'),
  special('tmpdir', 'write'),
  ...['.git', '.agents', '.codex', '.aws'].map((name) => special('project_roots', 'read', name)),
];

/** A `sandbox` as the real client sends it; in workspace-write, unless `entries` are given. */
export const codexSandbox = (
  roots: readonly string[],
  {
    entries = WORKSPACE_WRITE,
    network = 'restricted',
  }: { entries?: readonly object[]; network?: string } = {},
) => ({
  permissions: { type: 'managed', file_system: { type: 'restricted', entries }, network },
  cwd: uri(roots[0] ?? '/'),
  workspaceRoots: roots.map(uri),
  windowsSandboxLevel: 'disabled',
  windowsSandboxProxySettingsMode: 'reconcile',
  useLegacyLandlock: false,
});

/** A `sandbox` in which programs can write to one folder, and nowhere else. */
export const onlyWrites = (folder: string) =>
  codexSandbox([folder], { entries: [special('root', 'read'), special('project_roots', 'write')] });
