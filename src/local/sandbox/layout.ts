import type { Sandbox } from '../../core/index.js';
export interface OwnFolders {
  readonly covered: readonly string[];
  readonly readOnly: readonly string[];
}
export function layoutOf(
  sandbox: Sandbox,
  _own: OwnFolders,
): Promise<{ mounts: readonly string[]; mountPoints: readonly string[] }> {
  return Promise.resolve({
    mountPoints: [],
    mounts: [
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      ...sandbox.places.filter((p) => p.access === 'write').flatMap((p) => ['--bind', p.path, p.path]),
      '--proc',
      '/proc',
      '--ro-bind',
      '/proc/sys',
      '/proc/sys',
    ],
  });
}
