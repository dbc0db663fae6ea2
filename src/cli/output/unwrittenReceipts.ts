import { type ProcessInfo, unwrittenReceipt } from '../../core/index.js';

/** Says of sessions that it cannot be written down how they end; undefined if it is, or nobody wants it. */
export function unwrittenWords(sessions: readonly ProcessInfo[]): string | undefined {
  // It is the same for all of a server, and the last one knows it best.
  const [reason] = sessions.flatMap(({ metadata }) => unwrittenReceipt(metadata)?.reason ?? []).reverse();
  return reason === undefined ? undefined : unwrittenBecause(reason);
}

export function unwrittenBecause(reason: string): string {
  return `exec-sessions: it cannot be written down how sessions end: ${reason}. They run as before, but "exec-sessions receipts" does not list them, and nobody knows of them after the end of their server.`;
}
