import assert from 'node:assert/strict';

import type { Clock, ExecBackend, ExecProcess, StartParams } from '../../src/core/index.js';
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

/** What the tests of one `describe` share: a new backend for each of them. */
export interface BackendFixture {
  readonly backend: ExecBackend;
  readonly start: (some: Partial<StartParams> & { readonly argv: readonly string[] }) => Promise<ExecProcess>;
}

/** Gives each test of the surrounding `describe` a backend of its own, and shuts it down behind it. */
export function useBackend(kind: BackendKind): BackendFixture {
  let current: TestBackend | undefined;
  beforeEach(async () => {
    current = await kind.create();
  });
  afterEach(() => current?.dispose());
  const fixture: BackendFixture = {
    get backend() {
      return current?.backend ?? assert.fail('There is a backend only while a test runs.');
    },
    start: (some) => fixture.backend.start(params(some)),
  };
  return fixture;
}

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
