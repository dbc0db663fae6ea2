import assert from 'node:assert/strict';

import { readRow } from '../../src/local/marks/processTable.js';
import { collectEvents, untilEvent, untilOutput } from '../support/collect.js';
import { processesWith, sessionMembers } from '../support/processes.js';
import { INTERACTIVE_BASH, PATH, sh } from '../support/startParams.js';
import { until } from '../support/until.js';
import type { Deviation } from './deviations.js';

/** The tests of programs that go on after the one that was started. */
const outliving = [
  'Exit and close on the * backend > a read after an exit that was seen waits for the late output',
  ...['pipes', 'a terminal'].map(
    (of) =>
      `Exit and close on the * backend > of ${of} > are two events: a descendant keeps it open, and its output counts`,
  ),
  'Exit and close on the * backend > A closed process > is remembered while it has only exited: only the close starts the clock',
  'Removing from the * backend > is possible from the exit on, and what is left running goes on',
  ...['on pipes', 'with a terminal'].flatMap((how) =>
    [
      'acts on the survivors of a process that has exited but not closed',
      'acts on the leftover processes of a closed process',
      'names descendants that made a session of their own',
    ].map((test) => `Stopping on the * backend > ${how} > ${test}`),
  ),
  ...[
    'is a process of its session: a socket that children have inherited',
    'is a process of its session: a daemon with a mark',
    'is reported after its command has ended, until it ends itself',
    'is the process that holds the socket now, after its first holder has ended',
  ].map((test) => `The listener at a port of the machine of the * backend > ${test}`),
];

/** The differences of a process in a sandbox. */
export const sandboxDeviations: readonly Deviation[] = [
  ...outliving.map((test): Deviation => ({
    test,
    reason: 'all that a program has started ends with it',
    instead: async ({ start }) => {
      const mark = `MARK=${process.pid}`;
      const started = await start({
        argv: sh('setsid sleep 1000 & sleep 1001 & read -r go'),
        env: { PATH, MARK: String(process.pid) },
        pipeStdin: true,
      });
      await until(() => processesWith(mark).length, 3);
      await started.write(Buffer.from('\n'));
      await untilEvent(started, 'closed');
      assert.deepEqual(processesWith(mark), []);
    },
  })),
  {
    test: 'Stopping on the * backend > leaves nothing of a shell with jobs in the background',
    reason: 'the program is in the POSIX session of its wrapper, which has two processes more',
    instead: async ({ start }) => {
      const started = await start({ ...INTERACTIVE_BASH, tty: true });
      await started.write(Buffer.from('sleep 1000 & sleep 1001 | sleep 1002 &\necho rea$((1))dy\n'));
      await untilOutput(started, 'rea1dy');
      const { sid } = readRow(started.info().pid ?? assert.fail()) ?? assert.fail();
      await until(async () => (await sessionMembers(sid)).length, 6);
      assert.deepEqual(await started.stop(), {
        running: true,
        steps: ['interrupt', 'hangup'],
        exited: true,
        survivors: [],
      });
      assert.deepEqual(await sessionMembers(sid), []);
    },
  },
  {
    test: 'The listener at a port of the machine of the * backend > is a process of its session: another user',
    reason: 'no program can become another user',
    instead: async ({ start }) => {
      const started = await start({ argv: ['setpriv', '--reuid=65534', '--clear-groups', 'true'] });
      assert.notEqual((await collectEvents(started)).exit?.exitCode, 0);
    },
  },
];
