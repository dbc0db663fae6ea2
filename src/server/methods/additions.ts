import { constants } from 'node:os';

import type { BackendCapabilities } from '../../core/index.js';
import type { ServerAdditions } from '../../protocol/index.js';

/** The names of this machine's signals. */
export const SIGNALS: ReadonlySet<string> = new Set(Object.keys(constants.signals));

/** The additions to the base protocol that this server offers with a backend of these capabilities. */
export function additionsWith({ inputMode, portProbe }: BackendCapabilities): ServerAdditions {
  return {
    resize: true,
    initialSize: true,
    closeStdin: true,
    signals: [...SIGNALS],
    stop: true,
    list: true,
    attach: true,
    flow: true,
    inputMode,
    portProbe,
    outputFrames: true,
  };
}
