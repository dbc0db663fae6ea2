import type { StopStep } from '../../core/index.js';

/**
 * How long each step of the ladder may take when VS Code ends, in milliseconds. VS Code gives an extension five seconds
 * to deactivate, and the machine may be busy: together they are below two.
 */
export const SHUTDOWN_GRACE_MS: Readonly<Record<StopStep, number>> = {
  interrupt: 300,
  hangup: 300,
  terminate: 500,
  kill: 500,
};
