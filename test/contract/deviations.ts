import type { BackendFixture, BackendKind } from './backends.js';
import { codexDeviations } from './codexDeviations.js';
import { sandboxDeviations } from './sandboxDeviations.js';

/** The maker of an exec-server: ours, or the real `codex exec-server`. */
export type ServerName = 'own' | 'codex';

/** A known deviation of a server from the contract. */
export interface Deviation {
  /** The titles of the groups around the test and its own, with `*` for the kind, joined by ` > `. */
  readonly test: string;
  readonly reason: string;
  /** Asserts the server's behaviour, in place of the test. */
  readonly instead: (fixture: BackendFixture) => Promise<void>;
}

export const deviations: Readonly<Record<ServerName | 'sandbox', readonly Deviation[]>> = {
  own: [],
  codex: codexDeviations,
  sandbox: sandboxDeviations,
};

/** The name of a test, in the form of {@link Deviation.test}. */
export function testName(titles: readonly string[], kind: string): string {
  return titles.join(' > ').replace(kind, '*');
}

export function deviationOf(kind: BackendKind, titles: readonly string[]): Deviation | undefined {
  const name = testName(titles, kind.name);
  const of = kind.sandbox ? 'sandbox' : kind.server;
  return of && deviations[of].find(({ test }) => test === name);
}
