import { constants } from 'node:os';

import type { BackendCapabilities } from '../../core/index.js';
import type { ServerAdditions } from '../../protocol/index.js';

/** The signals of this machine. */
export const SIGNALS: ReadonlySet<string> = new Set(Object.keys(constants.signals));

/** What this server offers beyond the base protocol, with a backend that can do that. */
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
