import type { ExecBackend } from '../../core/index.js';
import type { MethodHandlers } from './methodHandlers.js';
import type { KeepWithoutClient } from '../sessions/keepWithoutClient.js';
import type { DiskLimits } from '../outputFiles/diskLimits.js';
import type { OutputFiles } from '../outputFiles/outputFiles.js';
import type { OutputLimits } from '../sessions/outputLimits.js';
import { lookAtPort } from './portLooks.js';

/** The methods `host/*`: facts about the machine on which the processes run. */
export function hostMethods(
  backend: ExecBackend,
  keep: KeepWithoutClient | undefined,
  limits: OutputLimits,
  disk: { readonly files: OutputFiles; readonly limits: DiskLimits } | undefined,
): MethodHandlers {
  return {
    'host/isListening': async ({ port }, context) => ({
      listening: await lookAtPort(context, () => backend.isListening(port)),
    }),
    ...(keep && {
      'host/keep': ({ personSeconds, agentSeconds, output, disk: onDisk }) => {
        keep.setTimes({ personSeconds, agentSeconds });
        if (output !== undefined) {
          limits.set(output);
        }
        if (onDisk !== undefined) {
          disk?.limits.set(onDisk);
          disk?.files.changed();
        }
        return {};
      },
    }),
  };
}
