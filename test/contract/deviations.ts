import type { BackendFixture, BackendKind } from './backends.js';
import { codexDeviations } from './codexDeviations.js';

/** Whose exec-server: ours, or the real `codex exec-server`. */
export type ServerName = 'own' | 'codex';

/** Something that a server is known to do in another way than the contract wants. */
export interface Deviation {
  /** The titles of the groups that the test is in and its own, with `*` for the kind, joined by ` > `. */
  readonly test: string;
  readonly reason: string;
  /** What it does instead, asserted in place of the test. */
  readonly instead: (fixture: BackendFixture) => Promise<void>;
}

export const deviations: Readonly<Record<ServerName, readonly Deviation[]>> = {
  own: [],
  codex: codexDeviations,
};

/** Titles as {@link Deviation.test} writes them. */
export function testName(titles: readonly string[], kind: string): string {
  return titles.join(' > ').replace(kind, '*');
}

export function deviationOf(kind: BackendKind, titles: readonly string[]): Deviation | undefined {
  const name = testName(titles, kind.name);
  return kind.server && deviations[kind.server].find(({ test }) => test === name);
}
