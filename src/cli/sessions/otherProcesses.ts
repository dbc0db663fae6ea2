import type { Sighting } from '../../core/index.js';
import { Sightings } from '../../machine/index.js';
import type { Connected } from '../connected.js';

/**
 * The processes of this machine that are no sessions; empty where they cannot be found. A server remembers owners that
 * a first look does not find.
 *
 * @throws Error if the processes cannot be listed.
 */
export async function otherProcesses(machines: readonly Connected[]): Promise<readonly Sighting[]> {
  const [source] = machines.flatMap(({ backend }) => backend.sightings ?? []);
  return process.platform === 'linux' ? (source ?? new Sightings()).look() : [];
}
