import type { SightingSource } from '../../core/index.js';
import { REQUEST_MS } from '../limits.js';
import type { Calls } from '../session/resumableConnection.js';
import type { ServerFacts } from '../session/serverFacts.js';
import { inOurErrors } from '../session/wireFailures.js';

/** The sightings of the server, if it has some. */
export function sightingsOnServer({ additions }: ServerFacts, calls: Calls): SightingSource | undefined {
  const options = { timeoutMs: REQUEST_MS, repeat: true };
  return additions.sightings === true
    ? { look: async () => (await inOurErrors(calls.call('host/sightings', {}, options))).sightings }
    : undefined;
}
