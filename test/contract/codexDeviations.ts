import { codexLookDeviations } from './codexLookDeviations.js';
import { codexProcessDeviations } from './codexProcessDeviations.js';
import { codexStartDeviations } from './codexStartDeviations.js';
import { codexStopDeviations } from './codexStopDeviations.js';
import type { Deviation } from './deviations.js';

/** What `codex exec-server` 0.169.0 does in another way. */
export const codexDeviations: readonly Deviation[] = [
  ...codexStartDeviations,
  ...codexProcessDeviations,
  ...codexStopDeviations,
  ...codexLookDeviations,
];
