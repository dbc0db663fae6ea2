import { type ProcessInfo, unwrittenReceipt } from '../../core/index.js';

/**
 * Says that the ends of sessions cannot be written down, and why; undefined if they can, or if no receipts are wanted.
 */
export function unwrittenWords(sessions: readonly ProcessInfo[]): string | undefined {
  // The reason is the same for all sessions of a server; the newest session has the latest one.
  const [reason] = sessions.flatMap(({ metadata }) => unwrittenReceipt(metadata)?.reason ?? []).reverse();
  return reason === undefined ? undefined : unwrittenBecause(reason);
}

export function unwrittenBecause(reason: string): string {
  return `exec-sessions: it cannot be written down how sessions end: ${reason}. They run as before, but "exec-sessions receipts" does not list them, and nobody knows of them after the end of their server.`;
}
