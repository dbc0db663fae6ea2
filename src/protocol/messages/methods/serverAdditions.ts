import * as z from 'zod/mini';

import { count, text } from './schemas.js';

/** Ours: the additions that a server announces under `capabilities` in its answer to `initialize`. Absent means no. */
export const serverAdditions = () => {
  const announced = z.optional(z.boolean());
  return z.object({
    /** Takes back an ability that every server of the base protocol has: nothing can run on a terminal there. */
    noTerminals: announced,
    /** `process/resize`. */
    resize: announced,
    /** `size` in `process/start`. */
    initialSize: announced,
    /** `process/closeStdin`. */
    closeStdin: announced,
    /** The names that `process/signal` takes besides `interrupt`. */
    signals: z.optional(z.array(text)),
    /** `process/stop` and `process/cancelStop`. */
    stop: announced,
    /** `process/survivors` and `process/endSurvivor`. */
    survivors: announced,
    /** `process/list`, and `clientMetadata` in `process/start`. */
    list: announced,
    /** `process/listPage`. */
    listPages: announced,
    /** `process/attach`, also for processes of other connection sessions. */
    attach: announced,
    /** `process/flow`, `process/gap`, and `windowBytes` in `process/start` and `process/attach`. */
    flow: announced,
    /** `process/inputMode`. */
    inputMode: announced,
    /** `process/inputWait`. */
    inputWait: announced,
    /** `host/isListening`. */
    portProbe: announced,
    /** `process/listeners`. */
    listeners: announced,
    /** `process/usage`. */
    usage: announced,
    /** Children on pipes have anonymous pipes, and `stderrToStdout` in `process/start`. */
    anonymousPipes: announced,
    /** `outputFrames` in `initialized`. */
    outputFrames: announced,
    /** `goodbye` in `initialized`. */
    goodbye: announced,
    /** `signOfLifeMs` in `initialized`. */
    signOfLife: announced,
    /** `pings` in `initialized`. */
    pings: announced,
    /** `owned` in `process/start`, and `process/remove`. */
    ownership: announced,
    /** `inherited` in `process/start`. */
    inherited: announced,
    /** `sandbox` in `process/start` and in the methods that change files. */
    sandbox: announced,
    /** `process/describe`. */
    metadata: announced,
    /** `process/startedWith`. */
    startedWith: announced,
    /** `changes` in `initialized`, and `process/changed`. */
    changes: announced,
    /** `process/view`. */
    views: announced,
    /** `process/readKept`, and `disk` in `host/keep`. */
    keptOutput: announced,
    /** `process/seqBefore`. */
    outputTimes: announced,
    /** `host/keep`. */
    keep: announced,
    /** `task/keep` and `task/read`. */
    tasks: announced,
    /** `host/sightings`. */
    sightings: announced,
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
        endsAtLogout: z.optional(z.boolean()),
      }),
    ),
  });
};
export type ServerAdditions = z.infer<ReturnType<typeof serverAdditions>>;
