import { readlinkSync } from 'node:fs';

import type { ExecProcess } from '../../../src/core/index.js';
import { RemoteBackend, webSocketConnector } from '../../../src/remote/index.js';
import { collectEvents } from '../../support/collect.js';
import { command, ownServer, startServer } from '../../support/execServer.js';
import { params } from '../../support/startParams.js';

/** Programs at once; each has three pipes, and a user's pipes become small from 1,024 on. */
const CROWD = 2_000;
const STARTS_AT_ONCE = 250;
/** The user `nobody`, on every Linux. */
const STRANGER = '65534';
const AS_STRANGER = ['setpriv', `--reuid=${STRANGER}`, `--regid=${STRANGER}`, '--clear-groups'] as const;
/** More than a small pipe holds. */
const ANSWER_BYTES = 20_000;

/**
 * Starts a crowd of programs at once on a server of another user, to whom the limits of Linux for pipes apply.
 *
 * @returns the number of programs that ran on pipes and whose output came whole, and the time that all took.
 */
export async function runCrowd(): Promise<{
  crowd: number;
  onPipes: number;
  whole: number;
  seconds: number;
}> {
  const server = await startServer(({ env }) => {
    const serve = [process.execPath, ownServer, '--listen', 'ws://127.0.0.1:0'] as const;
    return command([...AS_STRANGER, ...serve], env, { cwd: '/' });
  });
  const connector = webSocketConnector({ url: server.url });
  const backend = await RemoteBackend.connect({ connector, clientName: 'crowd' });
  const begun = performance.now();
  try {
    const answer = `read line; head -c ${ANSWER_BYTES} /dev/zero`;
    const crowd: ExecProcess[] = [];
    while (crowd.length < CROWD) {
      // All run at once in the end. More starts at a time take longer than a client waits, on a busy machine.
      const first = crowd.length;
      const some = Array.from({ length: STARTS_AT_ONCE }, (_, index) =>
        backend.start(
          params({ argv: ['sh', '-c', answer], cwd: '/', pipeStdin: true, processId: `${first + index}` }),
        ),
      );
      crowd.push(...(await Promise.all(some)));
    }
    const onPipes = crowd.filter((one) =>
      [0, 1, 2].every((fd) => readlinkSync(`/proc/${one.info().pid ?? 0}/fd/${fd}`).startsWith('pipe:')),
    ).length;
    const whole = await Promise.all(
      crowd.map(async (one) => {
        const collected = collectEvents(one);
        await one.write(Buffer.from('\n'));
        return (await collected).stdout.length === ANSWER_BYTES;
      }),
    );
    const seconds = (performance.now() - begun) / 1_000;
    return { crowd: CROWD, onPipes, whole: whole.filter(Boolean).length, seconds };
  } finally {
    await backend.shutdown();
    await server.stop();
  }
}
