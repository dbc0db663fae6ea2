import type { ExecBackend } from '../../core/index.js';
import type { ReceiptBook } from '../../machine/index.js';
import type { MethodHandlers } from './methodHandlers.js';
import type { KeepWithoutClient } from '../sessions/keepWithoutClient.js';
import type { DiskLimits } from '../outputFiles/diskLimits.js';
import type { OutputFiles } from '../outputFiles/outputFiles.js';
import type { OutputLimits } from '../sessions/ownedProcesses.js';
import { lookAtPort } from './portsAndUsage.js';

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
  return {
    'host/isListening': async ({ port }, context) => ({
      listening: await lookAtPort(context, () => backend.isListening(port)),
    }),
    ...(keep && {
      'host/keep': ({ personSeconds, agentSeconds, output, disk: onDisk, receipts }) => {
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
