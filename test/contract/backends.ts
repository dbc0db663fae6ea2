import type { Clock, ExecBackend, StartParams } from '../../src/core/index.js';
import { LocalBackend } from '../../src/local/index.js';

/** A backend for the length of one test. */
export interface TestBackend {
  readonly backend: ExecBackend;
  readonly dispose: () => Promise<void>;
}

export interface TestBackendOptions {
  readonly retentionMs?: number;
  readonly clock?: Clock;
}

/** A kind of backend that has to keep the contract. */
export interface BackendKind {
  readonly name: string;
  create(options?: TestBackendOptions): Promise<TestBackend>;
}

export const backendKinds: readonly BackendKind[] = [
  {
    name: 'local',
    create: (options) => {
      const backend = new LocalBackend(options);
      return Promise.resolve({ backend, dispose: () => backend.shutdown({ graceMs: FAST }) });
    },
  },
];

/** Straight to the kill: a test's own processes need no manners. */
const FAST = { interrupt: 0, hangup: 0, terminate: 0 };

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
