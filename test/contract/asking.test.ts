import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ExecProcess, InputWait } from '../../src/core/index.js';
import { RemoteBackend, webSocketConnector } from '../../src/remote/index.js';
import { findOnPath } from '../rig/programs.js';
import { type Sshd, startSshd } from '../rig/sshd.js';
import {
  type AskingProgram,
  askingPrograms,
  missedPrograms,
  PORTS,
  quietPrograms,
  type TriedProgram,
} from '../support/askingPrograms.js';
import { untilEvent } from '../support/collect.js';
import { type RunningServer, startOwnServer } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { NOBODY } from '../support/otherUser.js';
import { params } from '../support/startParams.js';
import { until } from '../support/until.js';

/** The looks at each quiet program, one a second. */
const LOOKS = 60;
const FAST = { interrupt: 0, hangup: 0, terminate: 0 };
/** Without the folders of root. */
const PATH = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/games'].join(':');

describeOnLinux('Programs of an ordinary user @all', () => {
  let server: RunningServer;
  let backend: RemoteBackend;
  let sshd: Sshd;
  let http: Server;
  let started = 0;

  before(async () => {
    server = await startOwnServer(process.getuid?.() === 0 ? { uid: NOBODY } : {});
    const connector = webSocketConnector({ url: server.url });
    backend = await RemoteBackend.connect({ connector, clientName: 'asking' });
    sshd = await startSshd();
    http = packagesAndPasswords().listen(0, '127.0.0.1');
    await once(http, 'listening');
  });

  after(async () => {
    await backend.shutdown();
    http.closeAllConnections();
    http.close();
    await sshd.stop();
    await server.stop();
  });

  async function start({ script }: TriedProgram): Promise<ExecProcess> {
    started += 1;
    const processId = `p${started}`;
    const argv = ['sh', '-c', `mkdir "$0" && cd "$0" && ${script}`, path.join(server.folder, processId)];
    const ports = { [PORTS.ssh]: `${sshd.port}`, [PORTS.http]: `${(http.address() as AddressInfo).port}` };
    const env = { PATH, HOME: server.home, TERM: 'xterm', EDITOR: 'vi', ...ports };
    return backend.start(params({ processId, argv, cwd: server.folder, env, tty: true }));
  }

  async function end(program: ExecProcess): Promise<void> {
    await program.stop({ graceMs: FAST });
    await untilEvent(program, 'closed');
  }

  for (const [name, tried] of Object.entries({ ...askingPrograms, ...missedPrograms }).filter(isThere)) {
    it(`are known to wait, or missed as is written down: ${name}`, async () => {
      const program = await start(tried);
      await until(
        () => program.inputWait(),
        (wait) => isAsWritten(wait, tried),
      );
      await end(program);
    });
  }

  it('that ask, and those that do not, are forty each at least', () => {
    for (const programs of [askingPrograms, quietPrograms]) {
      const [all, there] = [Object.entries(programs), Object.entries(programs).filter(isThere)];
      const missing = all.filter((one) => !there.includes(one)).map(([name]) => name);
      assert.ok(there.length >= 40, `Not tried, for want of a program: ${missing.join(', ')}`);
    }
  });

  it('are never said to ask while they are quiet', async () => {
    const quiet = Object.entries(quietPrograms).filter(isThere);
    const said = await Promise.all(
      quiet.map(async ([name, tried]) => {
        const program = await start(tried);
        const questions = new Set<string>();
        for (let look = 0; look < LOOKS; look += 1) {
          await delay(1_000);
          const wait = await program.inputWait();
          if (wait?.question !== undefined) questions.add(wait.question);
        }
        assert.equal(program.info().exit, undefined, `${name} has ended`);
        await end(program);
        return [...questions].map((question) => `${name}: ${question}`);
      }),
    );
    assert.deepEqual(said.flat(), []);
  });
});

function isAsWritten(wait: InputWait | undefined, { kind, question }: AskingProgram): boolean {
  return (
    wait?.kind === kind &&
    (question === undefined ? wait?.question === undefined : wait?.question?.includes(question) === true)
  );
}

/** Whether this machine has what a program needs. */
function isThere([, { needs }]: readonly [string, TriedProgram]): boolean {
  return needs.every((need) => {
    const [program = '', module] = need.split(':');
    const file = findOnPath([program]);
    return (
      file !== undefined &&
      (module === undefined || spawnSync(program, ['-c', `import ${module}`], { env: { PATH } }).status === 0)
    );
  });
}

function packagesAndPasswords(): Server {
  const dist = { tarball: 'http://127.0.0.1/one.tgz', integrity: 'sha512-AA==' };
  const versions = { '1.0.0': { name: 'create-one', version: '1.0.0', bin: 'one.js', dist } };
  const npm = JSON.stringify({ 'name': 'create-one', 'dist-tags': { latest: '1.0.0' }, versions });
  return createServer((request, response) => {
    if (request.url === '/create-one') {
      response.end(npm);
    } else {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
    }
  });
}
