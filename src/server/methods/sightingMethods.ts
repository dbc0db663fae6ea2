import type { ExecBackend } from '../../core/index.js';
import type { MethodHandlers } from './methodHandlers.js';

/** The method `host/sightings`, where the backend can look. */
export function sightingMethods({ sightings }: ExecBackend): MethodHandlers {
  return sightings === undefined
    ? {}
    : {
        'host/sightings': async () => ({
          sightings: (await sightings.look()).map(({ ports, owner, ...sighting }) => ({
            ...sighting,
            ...(ports && { ports: [...ports] }),
            ...(owner && { owner: { ...owner, agents: [...owner.agents] } }),
          })),
        }),
      };
}
