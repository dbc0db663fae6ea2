import { codexLookDeviations } from './codexLookDeviations.js';
import { codexOwnershipDeviations } from './codexOwnershipDeviations.js';
import { codexProcessDeviations } from './codexProcessDeviations.js';
import { codexStartDeviations } from './codexStartDeviations.js';
import { codexStopDeviations } from './codexStopDeviations.js';
import type { Deviation } from './deviations.js';

/** The deviations of `codex exec-server` 0.171.0. */
export const codexDeviations: readonly Deviation[] = [
  ...codexStartDeviations,
  ...codexProcessDeviations,
  ...codexStopDeviations,
  ...codexLookDeviations,
  ...codexOwnershipDeviations,
];
