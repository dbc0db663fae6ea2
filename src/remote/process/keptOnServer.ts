import { type KeptOptions, type KeptOutput, NOTHING_KEPT } from '../../core/index.js';
import type { ParamsOf } from '../../protocol/index.js';
import { REQUEST_MS } from '../limits.js';
import { fromBase64 } from '../session/notifications.js';
import type { Calls } from '../session/resumableConnection.js';
import type { ServerFacts } from '../session/serverFacts.js';

/** A process by its name in this connection session, by its handle, or both. */
export type KeptName = Pick<ParamsOf<'process/readKept'>, 'processId' | 'handle'>;

/**
 * Reads the output of a process that a server keeps on disk.
 *
 * @returns an empty answer if it keeps no output, or does not answer.
 */
export async function readKeptOnServer(
  named: KeptName,
  { afterSeq, maxBytes }: KeptOptions,
  server: ServerFacts,
  calls: Calls,
): Promise<KeptOutput> {
  if (server.additions.keptOutput !== true || !calls.isConnected) {
    return NOTHING_KEPT;
  }
  const params = { ...named, afterSeq, maxBytes };
  const options = { timeoutMs: REQUEST_MS, repeat: true };
  const answer = await calls.call('process/readKept', params, options).catch(() => undefined);
  if (answer === undefined) {
    return NOTHING_KEPT;
  }
  // A reader that reads on relies on progress.
  const isWanted = ({ seq }: { readonly seq: number }) => seq > afterSeq;
  return {
    chunks: answer.chunks
      .filter(isWanted)
      .map(({ seq, stream, chunk }) => ({ seq, stream, bytes: fromBase64(chunk) })),
    missing: answer.missing.map(({ fromSeq, throughSeq, bytes }) => ({
      fromSeq,
      throughSeq,
      chunks: throughSeq - fromSeq + 1,
      ...(bytes !== undefined && { bytes }),
    })),
  };
}
