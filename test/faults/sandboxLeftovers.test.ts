import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { listProcesses } from '../../src/local/marks/processTable.js';
import { type Program, usePrograms } from '../server/program.js';
import type { RawClient } from '../server/rawClient.js';
import { codexSandbox } from '../support/codexSandbox.js';
import { describeOnLinux } from '../support/onLinux.js';
import { commandLine } from '../support/processes.js';
import { Random } from '../support/random.js';
import { describeDisks, withDisk } from '../support/smallDisk.js';
import { until } from '../support/until.js';

/** Says so if it can make a protected folder, and has a child that left its session. */
const PROGRAM = `
trap '' HUP INT TERM
setsid sleep 1000.$0 &
while sleep 0.02; do mkdir .git .aws "$TMPDIR/.git" 2>/dev/null && echo made; done
`;

const NO_GRACE = { interrupt: 0, hangup: 0, terminate: 0 };

interface Server {
  readonly program: Program;
  readonly client: RawClient;
  readonly home: string;
}

describeOnLinux('A sandboxed session', () => {
  const programs = usePrograms();
  let work: string;
  let temporary: string;
  let mounts: string;
  let count = 0;

  beforeEach(() => {
    [work, temporary] = ['work', 'tmp'].map((name) => path.join(programs.folder, name)) as [string, string];
    fs.mkdirSync(work);
    fs.mkdirSync(temporary);
    mounts = fs.readFileSync('/proc/self/mountinfo', 'utf8');
  });

  const startServer = async (name: string): Promise<Server> => {
    const home = path.join(programs.folder, name);
    fs.mkdirSync(home, { recursive: true });
    const program = programs.run(['--listen', 'stdio'], { env: { HOME: home, XDG_RUNTIME_DIR: home } });
    const client = program.client();
    await client.handshake();
    return { program, client, home };
  };

  /** @returns the name of the session, once it runs. */
  const start = async ({ client }: Server, tty: boolean) => {
    const processId = String((count += 1));
    await client.request('process/start', {
      processId,
      argv: ['/bin/sh', '-c', PROGRAM, marker()],
      cwd: `file://${work}`,
      env: { PATH: process.env['PATH'], TMPDIR: temporary },
      tty,
      sandbox: codexSandbox([work]),
    });
    return processId;
  };

  /** A number in the arguments of all programs of this test. */
  const marker = () => `${process.pid}${programs.folder.replaceAll(/\D/g, '')}`;

  /** The sandboxed programs, their wrappers, and the files that are left of all this. */
  const left = async () => [
    ...(await listProcesses()).map(({ pid }) => commandLine(pid)).filter((line) => line.includes(marker())),
    ...[work, temporary].flatMap((folder) => fs.readdirSync(folder)),
    ...fs.readdirSync(programs.folder).flatMap(notesOf),
  ];

  const notesOf = (home: string) => {
    const folder = path.join(programs.folder, home, '.local/state/exec-sessions/sandboxes');
    return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => `${home}: ${name}`) : [];
  };

  const expectNothingLeft = async () => {
    await until(left, (found) => found.length === 0);
    assert.equal(fs.readFileSync('/proc/self/mountinfo', 'utf8'), mounts);
  };

  const expectNothingMade = ({ client }: Server) => {
    const printed = client.notifications.filter(({ method }) => method === 'process/output');
    assert.deepEqual(printed, []);
  };

  const end = async ({ client }: Server, processId: string, way: number) => {
    if (way === 0) {
      await client.request('process/terminate', { processId });
    } else if (way === 1) {
      await client.request('process/signal', { processId, signal: 'SIGKILL' });
    } else {
      await client.request('process/stop', { processId, stopId: processId, graceMs: NO_GRACE });
    }
    await client.told(processId, 'closed');
  };

  for (const [sessions, tag] of [
    [12, ''],
    [200, ' @all'],
  ] as const) {
    it(`leaves nothing, with ${sessions} that are stopped and killed on two servers${tag}`, async () => {
      const servers = [await startServer('one'), await startServer('two')];
      await Promise.all(
        servers.flatMap((server) =>
          [0, 1, 2].map(async (way) => {
            for (let number = 0; number < sessions / 6; number++) {
              await end(server, await start(server, number % 2 === 0), way);
            }
          }),
        ),
      );
      servers.forEach(expectNothingMade);
      await expectNothingLeft();
    });

    it(`leaves nothing, with ${sessions} whose server is killed at any moment beside another${tag}`, async () => {
      const random = new Random(sessions);
      const other = await startServer('other');
      for (let round = 0; round < sessions / 6; round++) {
        const server = await startServer('killed');
        const others = await start(other, round % 2 === 0);
        const starts = [true, false, true, false, true].map((tty) =>
          start(server, tty).catch(() => undefined),
        );
        await delay(random.between(0, 300));
        server.program.kill('SIGKILL');
        await Promise.all(starts);
        await server.program.ended;
        await until(left, (found) => found.every((one) => !one.includes('killed')));
        await end(other, others, 0);
        expectNothingMade(other);
        expectNothingMade(server);
        await expectNothingLeft();
      }
    });
  }

  it('leaves nothing once there is another server, if its server and the guard of that are killed', async () => {
    const server = await startServer('home');
    await start(server, false);
    server.program.kill('SIGSTOP');
    const { pid: guard } =
      (await listProcesses()).find(({ ppid, pid }) => ppid === server.program.pid && isGuard(pid)) ??
      assert.fail('There is no guard.');
    process.kill(guard, 'SIGKILL');
    server.program.kill('SIGKILL');
    await server.program.ended;
    assert.deepEqual(fs.readdirSync(work).sort(), ['.agents', '.aws', '.codex', '.git']);
    const next = await startServer('home');
    await end(next, await start(next, true), 0);
    await expectNothingLeft();
  });

  it('leaves what its owner has made meanwhile', async () => {
    const server = await startServer('home');
    const session = await start(server, false);
    fs.writeFileSync(path.join(work, '.git', 'HEAD'), 'ref: refs/heads/main');
    await end(server, session, 0);
    await until(left, (found) => found.join() === '.git');
    assert.deepEqual(fs.readdirSync(path.join(work, '.git')), ['HEAD']);
  });

  it('is refused with the reason if it cannot be noted', async () => {
    const server = await startServer('home');
    const notes = path.join(server.home, '.local/state/exec-sessions/sandboxes');
    fs.mkdirSync(path.dirname(notes), { recursive: true });
    fs.writeFileSync(notes, '');
    await assert.rejects(start(server, false), /: File already exists \(os error 17\)$/);
    fs.rmSync(notes);
    await end(server, await start(server, false), 0);
    await expectNothingLeft();
  });
});

describeDisks('A sandboxed session on a full disk', () => {
  const programs = usePrograms();

  it('is refused with the reason, and leaves nothing', async () => {
    const disk = path.join(programs.folder, 'disk');
    fs.mkdirSync(disk);
    const prefix = withDisk(64 * 1024, disk, 'mkdir home work; cat /dev/zero >fill 2>/dev/null; :');
    const program = programs.run(['--listen', 'stdio'], { prefix, env: { HOME: `${disk}/home` } });
    const client = program.client();
    await client.handshake();
    const params = { processId: 'p', argv: ['true'], cwd: 'file:///', env: {}, tty: false };
    const refused = await client.refused('process/start', {
      ...params,
      sandbox: codexSandbox([`${disk}/work`]),
    });
    assert.deepEqual(refused, [-32603, 'No space left on device (os error 28)']);
    await client.start('find', ['find', disk, '-path', '*sandboxes/*', '-o', '-path', '*work/*']);
    await client.told('find', 'closed');
    assert.equal(client.output('find'), '');
  });
});

function isGuard(pid: number): boolean {
  return commandLine(pid).includes('guard.js');
}
