import * as z from 'zod/mini';

import { count, text } from './schemas.js';

/** Ours: the additions that a server announces under `capabilities` in its answer to `initialize`. Absent means no. */
export const serverAdditions = z.object({
  /** Takes back what every server of the base protocol has: nothing can run on a terminal there. */
  noTerminals: z.optional(z.boolean()),
  /** `process/resize`. */
  resize: z.optional(z.boolean()),
  /** `size` in `process/start`. */
  initialSize: z.optional(z.boolean()),
  /** `process/closeStdin`. */
  closeStdin: z.optional(z.boolean()),
  /** The names that `process/signal` takes besides `interrupt`. */
  signals: z.optional(z.array(text)),
  /** `process/stop` and `process/cancelStop`. */
  stop: z.optional(z.boolean()),
  /** `process/survivors` and `process/endSurvivor`. */
  survivors: z.optional(z.boolean()),
  /** `process/list`, and `clientMetadata` in `process/start`. */
  list: z.optional(z.boolean()),
  /** `process/listPage`. */
  listPages: z.optional(z.boolean()),
  /** `process/attach`, also for processes of other connection sessions. */
  attach: z.optional(z.boolean()),
  /** `process/flow`, `process/gap`, and `windowBytes` in `process/start` and `process/attach`. */
  flow: z.optional(z.boolean()),
  /** `process/inputMode`. */
  inputMode: z.optional(z.boolean()),
  /** `host/isListening`. */
  portProbe: z.optional(z.boolean()),
  /** `process/listeners`. */
  listeners: z.optional(z.boolean()),
  /** `process/usage`. */
  usage: z.optional(z.boolean()),
  /** Children on pipes have anonymous pipes, and `stderrToStdout` in `process/start`. */
  anonymousPipes: z.optional(z.boolean()),
  /** `outputFrames` in `initialized`. */
  outputFrames: z.optional(z.boolean()),
  /** `goodbye` in `initialized`. */
  goodbye: z.optional(z.boolean()),
  /** `signOfLifeMs` in `initialized`. */
  signOfLife: z.optional(z.boolean()),
  /** `pings` in `initialized`. */
  pings: z.optional(z.boolean()),
  /** `owned` in `process/start`, and `process/remove`. */
  ownership: z.optional(z.boolean()),
  /** `process/describe`. */
  metadata: z.optional(z.boolean()),
  /** `process/startedWith`. */
  startedWith: z.optional(z.boolean()),
  /** `changes` in `initialized`, and `process/changed`. */
  changes: z.optional(z.boolean()),
  /** `process/view`. */
  views: z.optional(z.boolean()),
  /** `process/readKept`, and `disk` in `host/keep`. */
  keptOutput: z.optional(z.boolean()),
  /** `process/seqBefore`. */
  outputTimes: z.optional(z.boolean()),
  /** `host/keep`. */
  keep: z.optional(z.boolean()),
  /** How a session server runs. */
  program: z.optional(
    z.object({
      pid: count,
      node: text,
      nodeVersion: text,
      electron: z.boolean(),
      files: text,
      copied: z.boolean(),
      service: z.optional(text),
    }),
  ),
});
export type ServerAdditions = z.infer<typeof serverAdditions>;
