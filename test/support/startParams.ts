import type { StartParams } from '../../src/core/index.js';

export const PATH = process.env['PATH'] ?? '/bin:/usr/bin';

/** Parameters of a start, with what a test does not care about filled in. */
export function params(some: Partial<StartParams> & { readonly argv: readonly string[] }): StartParams {
  return {
    processId: 'process-1',
    cwd: process.cwd(),
    env: { PATH },
    tty: false,
    ...some,
  };
}

/** A shell that runs a script, as the argument list of a start. */
export function sh(script: string): readonly string[] {
  return ['/bin/sh', '-c', script];
}
