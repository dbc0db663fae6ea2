import type { StartParams } from '../../src/core/index.js';

/** The policy that our own sessions have: they inherit what their machine has, and are marked. */
export const INHERITING = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
} as const satisfies StartParams['envPolicy'];
