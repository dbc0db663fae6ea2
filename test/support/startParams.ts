import type { StartParams } from '../../src/core/index.js';

export const PATH = process.env['PATH'] ?? '/bin:/usr/bin';

/** Parameters of a start. Those that a test does not care about are filled in. */
export function params(some: Partial<StartParams> & { readonly argv: readonly string[] }): StartParams {
  return {
    processId: 'process-1',
    cwd: process.cwd(),
    env: { PATH },
    tty: false,
    ...some,
  };
}

/**
 * An interactive bash that reads no start-up file, and writes nothing into the history of the user who runs the tests.
 */
export const INTERACTIVE_BASH = {
  argv: ['bash', '--norc', '--noprofile', '-i'],
  env: { PATH, HISTFILE: '' },
} as const;

/** A shell that runs a script, as the argument list of a start. */
export function sh(script: string): readonly string[] {
  return ['/bin/sh', '-c', script];
}
