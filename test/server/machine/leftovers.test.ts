import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { bootId, processNamespace, startTimeOf } from '../../../src/local/index.js';
import { endProcess, findLeftovers, type Leftover } from '../../../src/machine/index.js';
import { listProcesses } from '../../../src/local/marks/processTable.js';
import { INHERITING } from '../../support/envPolicy.js';
import { killIfThere } from '../../support/killIfThere.js';
import { describeOnLinux } from '../../support/onLinux.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { params } from '../../support/startParams.js';
import { useMachine } from './machineFixture.js';

/** Some containers allow no namespaces of one's own. */
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

/** A number with a start that no process has had. */
const ENDED = '1.1';

describeOnLinux('A process that a session has left running', () => {
  const machine = useMachine();
  const strangers: ChildProcess[] = [];
  let program: string;

  beforeEach(() => {
    // Nothing else on this machine has its name.
    program = path.join(machine.folder, path.basename(machine.folder));
    fs.copyFileSync(fs.realpathSync('/bin/sleep'), program);
  });

  afterEach(async () => {
    for (const stranger of strangers.splice(0)) {
      stranger.kill('SIGKILL');
    }
    // The receipts by which some were found have gone with the folder.
    const left = (await listProcesses()).filter(({ command }) => command === path.basename(program));
    left.forEach(({ pid }) => killIfThere(pid));
  });

  const find = () => findLeftovers(machine.env, Date.now(), (reason) => assert.fail(reason));
  const ofThisTest = async () => (await find()).filter(({ command }) => command === path.basename(program));

  /** Starts a process that no server has started, with variables of its own. */
  const startStranger = (env: Record<string, string>, ...before: string[]): number => {
    const [name, ...args] = [...before, program, '1000'];
    const stranger = spawn(name, args, { env, stdio: 'ignore' });
    strangers.push(stranger);
    return stranger.pid ?? assert.fail('not started');
  };

  const untilLeft = async (count: number): Promise<readonly Leftover[]> => {
    let found: readonly Leftover[] = [];
    await until(async () => (found = await ofThisTest()).length, count);
    return found;
  };

  /** Runs a script as a session until it has ended. */
  const runToEnd = async (title: string, script: string): Promise<void> => {
    const connected = await machine.connect();
    const metadata = { sessionId: title, title, origin: { kind: 'agent', name: 'Codex' } };
    const argv = ['bash', '-c', script];
    const session = await connected?.backend.start(
      params({ processId: title, argv, env: {}, envPolicy: INHERITING, owned: true, metadata }),
    );
    await until(() => session?.info().exit !== undefined);
  };

  it('is found with its session and start time, unless it has cleared its variables', async () => {
    const before = Date.now();
    const quiet = '>/dev/null 2>&1 </dev/null';
    const ways = [
      `setsid nohup ${program} 1000 ${quiet} &`,
      `(setsid bash -c '(cd / && exec ${program} 1001) & exit' ${quiet} &)`,
      `setsid env -i ${program} 1002 ${quiet} & echo $! >${machine.folder}/cleared`,
      ...(canUnshare ? [`setsid unshare --pid --fork ${program} 1003 ${quiet} &`] : []),
    ];
    await runToEnd('parent', `${ways.join('\n')}\nexit 0`);
    const found = await untilLeft(ways.length - 1);
    for (const { receipt, startedAt = 0 } of found) {
      assert.deepEqual([receipt?.title, receipt?.origin.name], ['parent', 'Codex']);
      assert.ok(startedAt > before - 1_000 && startedAt < Date.now() + 1_000, String(startedAt));
    }
    for (const leftover of found) {
      // In a namespace of its own, only the kill ends it.
      assert.ok((await endProcess(leftover)).exited);
    }
    const cleared = Number(fs.readFileSync(path.join(machine.folder, 'cleared'), 'utf8'));
    assert.ok(await isRunning(cleared));
    process.kill(cleared, 'SIGKILL');
    assert.deepEqual(await ofThisTest(), []);
  });

  it('is not a process with a foreign mark, or one of a running session', async () => {
    const here = `@${ENDED}.${bootId()}.${processNamespace()}`;
    const marks = [
      'mine',
      '',
      `x/1@${ENDED}.${bootId()}.elsewhere/pid:[1]`,
      `x/2@${ENDED}.00000000-0000-4000-8000-000000000000.${processNamespace()}`,
      `x/3@${process.pid}.${startTimeOf(process.pid) ?? ''}.${bootId()}.${processNamespace()}`,
    ];
    marks.forEach((mark) => startStranger({ EXEC_SESSION_ID: mark }));
    const forged = startStranger({ EXEC_SESSION_ID: `x/4${here}` });
    const found = await untilLeft(1);
    assert.deepEqual(
      found.map(({ pid }) => pid),
      [forged],
    );
    assert.ok(found.every(({ receipt }) => receipt === undefined));
  });

  if (process.getuid?.() === 0) {
    it('is not a process of another user, unless an own session has left it', async () => {
      const other = ['setpriv', '--reuid=987654', '--regid=987654', '--clear-groups'];
      fs.chmodSync(machine.folder, 0o755);
      startStranger({ EXEC_SESSION_ID: `x/1@${ENDED}.${bootId()}.${processNamespace()}` }, ...other);
      await runToEnd('dropped', `setsid ${other.join(' ')} ${program} 1000 >/dev/null 2>&1 & exit 0`);
      const [left] = await untilLeft(1);
      assert.equal(left?.receipt?.title, 'dropped');
    });
  }

  it('is ended only as the process that was listed, and not as another one with its number', async () => {
    const pid = startStranger({ EXEC_SESSION_ID: `x/1@${ENDED}.${bootId()}.${processNamespace()}` });
    const [left] = await untilLeft(1);
    assert.equal(left?.pid, pid);
    await endProcess({ pid, startTime: String(Number(left.startTime) - 1) });
    // Signals arrive in the order in which they were sent: one of that stop would have come first.
    const ended = once(strangers[0] ?? assert.fail(), 'exit');
    process.kill(pid, 'SIGINT');
    assert.deepEqual(await ended, [null, 'SIGINT']);
  });
});
