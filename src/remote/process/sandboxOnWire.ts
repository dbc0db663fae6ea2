import type { HostInfo, Sandbox } from '../../core/index.js';
import type { ParamsOf, ProcessDescription } from '../../protocol/index.js';
import { nativePath, wirePath } from '../session/hostInfo.js';

/** A sandbox as every server of the base protocol takes it. A server that cannot enforce it refuses the start. */
export function askedSandbox(
  { places, network }: Sandbox,
  host: HostInfo,
): ParamsOf<'process/start'>['sandbox'] {
  const readsAll = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
  const entries = places.map(({ path, access }) => ({
    path: { type: 'path', path: wirePath(path, host) },
    access,
  }));
  return {
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries: [readsAll, ...entries] },
      network: network ? 'enabled' : 'restricted',
    },
    windowsSandboxLevel: 'disabled',
  };
}

/** The sandbox that a server of ours describes. */
export function describedSandbox(
  { places, network }: NonNullable<ProcessDescription['sandbox']>,
  { platform }: HostInfo,
): Sandbox {
  const native = places.map(({ path, access }) => ({ path: nativePath(path, platform) ?? path, access }));
  return { places: native, network };
}
