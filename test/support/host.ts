import { existsSync } from 'node:fs';

import { GuardProcess, LocalBackend } from '../../src/local/index.js';
import type { Command } from '../../src/local/guard/command.js';
import type { OpenTerminals } from '../../src/local/child/openTerminals.js';
import { listProcesses } from '../../src/local/marks/processTable.js';
import { SHUTDOWN_GRACE_MS } from '../../src/sessions/options/index.js';
import { INTERACTIVE_BASH, params } from './startParams.js';
import { guardArgv } from './guard.js';
import { untilOutput } from './collect.js';
import { utf8 } from './bytes.js';
import { until } from './until.js';

/**
 * Jobs of an interactive shell, each in a process group of its own. A shell that is hung up hands the hangup on to its
 * jobs, so the last three ignore it.
 */
const JOBS = [
  'sleep 1000 &',
  'sleep 1001 | sleep 1002 &',
  'nohup sleep 1003 >/dev/null 2>&1 &',
  `(trap '' HUP INT TERM; exec sleep 1004) &`,
  `(trap '' HUP; kill -STOP $BASHPID; exec sleep 1005) &`,
];

/**
 * Its host is killed when it has forked, and has not said so yet. The forked process makes a file once it ignores
 * hangups. Otherwise the hangup of its terminal, which the end of the host brings, would end it too early.
 */
class GuardOfTheDying extends GuardProcess {
  readonly #file: string;

  constructor(program: Command, terminals: OpenTerminals, file: string) {
    super(program, terminals);
    this.#file = file;
  }

  override watch(): void {
    const turn = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(this.#file)) {
      Atomics.wait(turn, 0, 0, 1);
    }
    process.kill(process.pid, 'SIGKILL');
  }
}

/**
 * A host program for tests that kill it. It starts children that are hard to end, prints their pids as one line of
 * JSON, and waits to die.
 */
async function main(): Promise<void> {
  const dying = process.argv.find((arg) => arg.startsWith('--die-in-fork='));
  if (dying !== undefined) {
    process.stdout.write(`${JSON.stringify({ pids: [], guard: 0 })}\n`);
    const [kind, file = ''] = dying.replace('--die-in-fork=', '').split(':');
    const backend = new LocalBackend({
      guard: (terminals) => new GuardOfTheDying(guardArgv, terminals, file),
    });
    backend.prepare();
    const script = `trap '' HUP INT TERM; : >'${file}'; sleep 4244.${process.pid} & sleep 4244.${process.pid}; :`;
    await backend.start(params({ argv: ['/bin/sh', '-c', script], tty: kind === 'tty', processId: 'last' }));
  }
  const guards: GuardProcess[] = [];
  const backend = new LocalBackend({
    guard: (openTerminals) => {
      const guard = new GuardProcess(guardArgv, openTerminals);
      guards.push(guard);
      return guard;
    },
  });
  if (process.argv.includes('--die-while-starting')) {
    await backend.start(params({ argv: ['true'], processId: 'first' }));
    process.stdout.write(`${JSON.stringify({ pids: [], guard: guards[0]?.pid })}\n`);
    for (let index = 0; index < 20; index++) {
      const argv = ['/bin/sh', '-c', `trap '' HUP INT TERM; sleep 4243.${process.pid}`];
      void backend.start(params({ argv, tty: true, processId: `starting ${index}` }));
    }
    // Some children have been forked, and none has been seen to run.
    await until(
      () => listProcesses(),
      (seen) => seen.some((row) => row.ppid === process.pid && row.pid !== guards[0]?.pid),
    );
    process.kill(process.pid, 'SIGKILL');
  }
  const stubborn = `trap '' INT HUP TERM; echo ready; while :; do sleep 0.05; done`;
  const pids: (number | undefined)[] = [];
  for (const tty of [false, true]) {
    const child = await backend.start(
      params({ argv: ['/bin/sh', '-c', stubborn], tty, processId: `stubborn ${tty}` }),
    );
    await untilOutput(child, 'ready');
    pids.push(child.info().pid);
  }
  const shell = await backend.start(params({ ...INTERACTIVE_BASH, tty: true, processId: 'shell' }));
  await shell.write(utf8(`${JOBS.join('\n')}\necho rea$((1))dy\n`));
  await untilOutput(shell, 'rea1dy');
  pids.push(shell.info().pid);
  process.stdout.write(`${JSON.stringify({ pids, guard: guards[0]?.pid })}\n`);
  if (process.argv.includes('--report-guard')) {
    const [guard] = guards;
    const first = guard?.pid;
    await until(() => guard?.pid !== undefined && guard.pid !== first);
    process.stdout.write(`${guard?.pid}\n`);
  }
  if (process.argv.includes('--shutdown')) {
    await backend.shutdown({ graceMs: SHUTDOWN_GRACE_MS });
    process.stdout.write('down\n');
  }
}

void main();
