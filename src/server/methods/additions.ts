import type { BackendCapabilities } from '../../core/index.js';
import type { ServerAdditions } from '../../protocol/index.js';

/** The additions to the base protocol that this server offers with a backend of these capabilities. */
export function additionsWith(backend: BackendCapabilities): ServerAdditions {
  const {
    terminals,
    resize,
    initialSize,
    survivors,
    inputMode,
    portProbe,
    listeners,
    anonymousPipes,
    signals,
  } = backend;
  return {
    ...(!terminals && { noTerminals: true }),
    resize,
    initialSize,
    closeStdin: true,
    signals: [...signals],
    stop: true,
    survivors,
    list: true,
    attach: true,
    flow: true,
    inputMode,
    portProbe: portProbe !== false,
    listeners,
    anonymousPipes,
    outputFrames: true,
    goodbye: true,
    signOfLife: true,
    pings: true,
  };
}
