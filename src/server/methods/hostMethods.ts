import type { ExecBackend } from '../../core/index.js';
import type { ReceiptBook } from '../../machine/index.js';
import type { ParamsOf } from '../../protocol/index.js';
import type { ConnectionContext, MethodHandlers } from './methodHandlers.js';
import type { KeepWithoutClient } from '../sessions/keepWithoutClient.js';
import type { DiskLimits } from '../outputFiles/diskLimits.js';
import type { OutputFiles } from '../outputFiles/outputFiles.js';
import type { OutputLimits } from '../sessions/ownedProcesses.js';
import { lookAtPort } from './portsAndUsage.js';

type KeepParams = ParamsOf<'host/keep'>;

/** The methods `host/*`: facts about the machine on which the processes run. */
export function hostMethods({
  backend,
  keep,
  limits,
  disk,
  receipts: book,
}: {
  readonly backend: ExecBackend;
  readonly keep: KeepWithoutClient | undefined;
  readonly limits: OutputLimits;
  readonly disk: { readonly files: OutputFiles; readonly limits: DiskLimits } | undefined;
  readonly receipts: ReceiptBook | undefined;
}): MethodHandlers {
  const asked = new Map<ConnectionContext, KeepParams>();
  return {
    'host/isListening': async ({ port }, context) => ({
      listening: await lookAtPort(context, () => backend.isListening(port)),
    }),
    ...(keep && {
      'host/keep': (params, context) => {
        if (!asked.has(context)) {
          context.onEnd(() => asked.delete(context));
        }
        asked.set(context, params);
        const {
          personSeconds,
          agentSeconds,
          output,
          disk: onDisk,
          receipts,
        } = [...asked.values()].reduce(larger);
        keep.setTimes({ personSeconds, agentSeconds });
        if (output !== undefined) {
          limits.set(output);
        }
        if (onDisk !== undefined) {
          disk?.limits.set(onDisk);
          disk?.files.changed();
        }
        if (receipts !== undefined && book !== undefined) {
          book.on = receipts;
        }
        return {};
      },
    }),
  };
}

/** The larger of each of the limits that two clients have asked for. */
function larger(one: KeepParams, other: KeepParams): KeepParams {
  const output = largerOf(one.output, other.output, (a, b) => ({
    bytes: Math.max(a.bytes, b.bytes),
    chunks: Math.max(a.chunks, b.chunks),
    allBytes: Math.max(a.allBytes, b.allBytes),
    closed: Math.max(a.closed, b.closed),
  }));
  const disk = largerOf(one.disk, other.disk, (a, b) => ({
    keep: a.keep || b.keep,
    bytes: Math.max(a.bytes, b.bytes),
    allBytes: Math.max(a.allBytes, b.allBytes),
  }));
  const receipts = largerOf(one.receipts, other.receipts, (a, b) => a || b);
  return {
    personSeconds: longer(one.personSeconds, other.personSeconds),
    agentSeconds: longer(one.agentSeconds, other.agentSeconds),
    ...(output !== undefined && { output }),
    ...(disk !== undefined && { disk }),
    ...(receipts !== undefined && { receipts }),
  };
}

function largerOf<T>(one: T | undefined, other: T | undefined, both: (one: T, other: T) => T): T | undefined {
  return one === undefined || other === undefined ? (one ?? other) : both(one, other);
}

/** The longer of two times; a negative one means for ever. */
function longer(one: number, other: number): number {
  return one < 0 || other < 0 ? -1 : Math.max(one, other);
}
