import type { KeptOutput } from '../../core/index.js';
import { encodeBase64, type ResultOf, WireCode, WireError } from '../../protocol/index.js';
import { MOST_READ_FROM_DISK } from '../limits.js';
import type { OutputFiles } from '../outputFiles/outputFiles.js';
import type { ConnectionSession } from '../sessions/connectionSession.js';
import type { ConnectionSessions } from '../sessions/connectionSessions.js';
import { answerBudgets } from './answerBudget.js';
import type { MethodHandlers } from './methodHandlers.js';

/** A budget apart from that of other answers: a slow disk must not delay these. */
const budgetOf = answerBudgets();

/** The method that reads output on disk, for the session of one connection. */
export function keptOutputMethods(
  session: () => ConnectionSession,
  sessions: ConnectionSessions,
  files: OutputFiles,
): MethodHandlers {
  return {
    'process/readKept': async ({ processId, handle, afterSeq, maxBytes }, context) => {
      const current = session();
      if (processId === undefined && handle === undefined) {
        throw new WireError(WireCode.invalidParams, 'either "handle" or "processId" has to be there');
      }
      const wanted = processId === undefined ? handle : (await current.started(processId)).process.processId;
      if (wanted === undefined || !sessions.reaches(current, wanted)) {
        return { chunks: [], missing: [] };
      }
      const most = Math.min(maxBytes ?? MOST_READ_FROM_DISK, MOST_READ_FROM_DISK);
      return budgetOf(context).run(most, async () =>
        readKeptAnswer(await files.read(wanted, { afterSeq, maxBytes: most })),
      );
    },
  };
}

function readKeptAnswer({ chunks, missing }: KeptOutput): ResultOf<'process/readKept'> {
  return {
    chunks: chunks.map(({ seq, stream, bytes }) => ({ seq, stream, chunk: encodeBase64(bytes) })),
    missing: missing.map(({ fromSeq, throughSeq, bytes }) => ({
      fromSeq,
      throughSeq,
      ...(bytes !== undefined && { bytes }),
    })),
  };
}
