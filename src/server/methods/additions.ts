import type { BackendCapabilities, ServerProgram } from '../../core/index.js';
import type { ServerAdditions } from '../../protocol/index.js';
import type { Reach } from '../sessions/connectionSessions.js';

/**
 * The additions to the base protocol that this server offers with a backend of these capabilities.
 *
 * @param reach With `session`, no process can be owned: no client could reach it once the session is over.
 * @param others The additions for session servers: how long processes go on without a client, output on disk, and how
 * the server runs.
 */
export function additionsWith(
  backend: BackendCapabilities,
  reach: Reach,
  {
    keep,
    keptOutput,
    sightings,
    program,
  }: {
    readonly keep: boolean;
    readonly keptOutput: boolean;
    readonly sightings: boolean;
    readonly program: ServerProgram | undefined;
  },
): ServerAdditions {
  const {
    terminals,
    resize,
    initialSize,
    survivors,
    inputMode,
    inputWait,
    portProbe,
    listeners,
    usage,
    anonymousPipes,
    signals,
    ownership,
    metadata,
    startedWith,
    changes,
    outputTimes,
    sandbox,
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
    listPages: true,
    attach: true,
    flow: true,
    inputMode,
    inputWait,
    portProbe: portProbe !== false,
    listeners,
    usage,
    anonymousPipes,
    outputFrames: true,
    goodbye: true,
    signOfLife: true,
    pings: true,
    ...(ownership && reach === 'server' && { ownership }),
    ...(reach === 'server' && { tasks: true }),
    ...(reach === 'server' && sightings && { sightings }),
    inherited: process.platform === 'linux',
    metadata,
    startedWith,
    changes,
    views: true,
    outputTimes,
    sandbox,
    ...(keptOutput && { keptOutput }),
    ...(keep && { keep }),
    ...(program && { program }),
  };
}
