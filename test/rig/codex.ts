import { ensureProgram, hasProgram, withoutProgram } from './npmPrograms.js';

/** The program that the interop tests run against our own: a client and a peer of the exec-server. */
export interface Codex {
  readonly binary: string;
}

/** The variable that says why codex cannot be had; then the tests that need it are not defined. */
export const withoutCodex = withoutProgram('codex');

/** Whether codex can be had. The rig finds out before it starts tests. */
export function hasCodex(): boolean {
  return hasProgram('codex');
}

/**
 * Installs codex unless it is there.
 *
 * @throws Error with one line, which says why codex is not available.
 */
export async function ensureCodex(): Promise<Codex> {
  const { file } = await ensureProgram('codex');
  return { binary: file };
}
