import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { guardCommand } from '../../src/local/guard/command.js';
import { startTimeOf } from '../../src/local/marks/processTable.js';
import { lineTransport } from '../../src/protocol/index.js';
import { RawClient, sh, startParams } from '../server/rawClient.js';
import { type Crowd, describeLimits, LimitedUser } from '../support/limitedUser.js';
import { commandLine, sessionMembers } from '../support/processes.js';
import { until } from '../support/until.js';

/** The processes and threads that the user may have. */
const LIMIT = 400;
/** The most threads of the server and the others, which count as processes. */
const THREADS = 40;
/** The number of processes in a session. Each has to be found and killed. */
const MANY = 300;
/** Several groups, which ignore every signal but a kill. Left alone, it stops forking after a while. */
const HARD = `
$SIG{$_} = 'IGNORE' for qw(HUP INT TERM);
$| = 1;
for (1 .. ${MANY}) {
  my $child = fork;
  next if $child;
  setpgrp if $_ % 10 == 0;
  sleep;
}
print "all\\n";
my $end = time + 100;
while (BOMB && time < $end) { fork; select undef, undef, undef, 0.01 }
sleep;
`;

describeLimits('The guard, when no process can be forked, @all', function () {
  // A guard whose Node hangs is given up after twenty seconds, and a bash that cannot fork waits for fifteen.
  let user: LimitedUser;
  let crowd: Crowd | undefined;
  const started = new Set<ChildProcess>();

  beforeEach(() => {
    user = new LimitedUser();
  });
  afterEach(async () => {
    await crowd?.end();
    crowd = undefined;
    for (const child of started) {
      child.kill('SIGKILL');
    }
    started.clear();
    (await user.processes()).forEach(({ pid }) => process.kill(pid, 'SIGKILL'));
    await user.home.remove();
  });

  function run(argv: readonly string[]): ChildProcess {
    const [program, ...args] = user.command(`--nproc=${LIMIT}`, argv);
    const { home, env } = user.home;
    const child = spawn(program, args, {
      cwd: home,
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    started.add(child);
    return child;
  }

  async function startServer(): Promise<{ readonly server: ChildProcess; readonly client: RawClient }> {
    const server = run([process.execPath, user.server, '--listen', 'stdio']);
    const { stdin, stdout } = server;
    assert.ok(stdin && stdout);
    const client = new RawClient(lineTransport(stdout, stdin, { peer: 'program' }));
    await client.handshake();
    return { server, client };
  }

  async function kill(server: ChildProcess): Promise<void> {
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  for (const shell of ['/bin/sh', '/bin/bash']) {
    it(`ends ${MANY} processes by itself, as a script of ${shell}`, async () => {
      const hard = run(['perl', '-e', HARD.replace('BOMB', '0')]);
      await once(hard.stdout ?? assert.fail(), 'data');
      const { pid: sid = 0 } = hard;
      const [, ...script] = guardCommand([
        process.execPath,
        path.join(path.dirname(user.server), 'guard.js'),
      ]);
      const guard = run([shell, ...script]);
      guard.stdin?.write(`= ${sid}:${startTimeOf(sid) ?? ''}\n`);
      await until(
        () => commandLine(guard.pid ?? 0),
        (seen) => seen.startsWith(shell),
      );
      crowd = await user.fill(LIMIT);
      assert.ok((await sessionMembers(sid)).length > MANY);
      guard.stdin?.end();
      await until(async () => (await sessionMembers(sid)).length, 0);
      await once(guard, 'exit');
    });
  }

  it(`ends ${MANY} processes and the fork bomb among them, after the death of a server`, async () => {
    const { server, client } = await startServer();
    await client.start('p', ['perl', '-e', HARD.replace('BOMB', '1')]);
    await client.told('p', 'output');
    await until(async () => (await user.processes()).length >= LIMIT - THREADS);
    await kill(server);
    await until(async () => (await user.processes()).length, 0);
  });

  it('can be started after a start that was refused', async () => {
    const { server, client } = await startServer();
    crowd = await user.fill(LIMIT);
    await client.refused('process/start', startParams('refused', sh('sleep 1000')));
    await crowd.end();
    await client.start('p', sh(`trap '' HUP INT TERM; echo ready; sleep 1000; sleep 1000`));
    await client.told('p', 'output');
    await kill(server);
    await until(async () => (await user.processes()).length, 0);
    assert.equal(server.signalCode, 'SIGKILL');
  });
});
