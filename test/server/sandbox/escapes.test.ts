import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { type RunningServer, ownServer, startServer } from '../../support/execServer.js';
import { describeOnLinux } from '../../support/onLinux.js';
import { webSocketClient } from '../program.js';
import { python, shell, type User } from './attempt.js';
import { FILE_ATTEMPTS } from './fileAttempts.js';
import { PROGRAM_ATTEMPTS } from './programAttempts.js';
import { make, type Place } from './stage.js';

const ROOT = process.getuid?.() === 0;
const USERS: readonly User[] = ROOT ? ['root', 'an ordinary user'] : ['an ordinary user'];
const NOBODY = 65534;
/** A server that asks for no token refuses a network in a sandbox. */
const TOKEN = randomUUID();
const TOKEN_HASH = createHash('sha256').update(TOKEN).digest('hex');
const NEEDS_TOKEN = ['--ws-auth', 'capability-token', '--ws-token-sha256', TOKEN_HASH];

for (const user of USERS) {
  const uid = user === 'root' ? 0 : ROOT ? NOBODY : (process.getuid?.() ?? 0);

  describeOnLinux(`A sandbox of ${user}`, () => {
    let server: RunningServer;
    let place: Place;
    before(async () => {
      server = await startServerOf(uid);
      const client = await webSocketClient(server.url, { authorization: `Bearer ${TOKEN}` });
      await client.handshake();
      const { folder } = server;
      const own = {
        folder,
        program: programIn(folder),
        covered: OWN_FOLDERS.map((name) => path.join(folder, name)),
      };
      place = { client, uid, own, env: { PATH: '/usr/bin:/bin' } };
    });
    after(async () => {
      place.client.transport.destroy('the test is over');
      await server.stop();
    });

    it('lets programs do their work @all', async () => {
      const work = [
        shell('', 'echo x > here; mkdir .other; echo done'),
        python('', 'one, other = socket.socketpair(); one.send(b"x"); other.recv(1); print("done")'),
      ];
      for (const attempt of work) {
        const { output, proofs } = await make(attempt, place, true);
        assert.match(output, /done/);
        assert.deepEqual(proofs, []);
      }
    });

    it('gives programs no open files but their own @all', async () => {
      const { output } = await make(shell('', 'exec ls -x /proc/self/fd'), place, true);
      assert.match(output, /^0 +1 +2 +3\n$/);
    });

    for (const attempt of [...FILE_ATTEMPTS, ...PROGRAM_ATTEMPTS]) {
      const { only = user, possible = () => true } = attempt;
      if (only === user && possible()) {
        it(`holds ${attempt.title} @all`, async () => {
          const free = await make(attempt, place, false);
          assert.notDeepEqual(free.proofs, [], `It fails without a sandbox: ${free.output}`);
          const held = await make(attempt, place, true);
          assert.deepEqual(held.proofs, []);
        });
      }
    }
  });
}

const programIn = (folder: string) => path.join(folder, 'dist', path.basename(ownServer));
/** The folders for the sockets and for the kept output of our server. */
const OWN_FOLDERS = ['run/exec-sessions', 'state/exec-sessions'];

/** A server of another user has a copy of the program: the original may lie in a folder of root. */
function startServerOf(uid: number): Promise<RunningServer> {
  return startServer(({ folder, env }) => {
    fs.cpSync(path.dirname(ownServer), path.dirname(programIn(folder)), { recursive: true });
    OWN_FOLDERS.forEach((name) => fs.mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 }));
    execFileSync('chown', ['-R', `${uid}:${uid}`, folder]);
    const account = ROOT ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : [];
    const [first, ...rest] = [...account, process.execPath];
    const places = { XDG_RUNTIME_DIR: `${folder}/run`, XDG_STATE_HOME: `${folder}/state` };
    return {
      argv: [first, ...rest, programIn(folder), '--listen', 'ws://127.0.0.1:0', ...NEEDS_TOKEN],
      env: { ...env, ...places },
      cwd: folder,
    };
  });
}
