import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { findOnPath } from '../rig/programs.js';
import { type Sshd, startSshd } from '../rig/sshd.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { type RunningServer, startOwnServer } from '../support/execServer.js';
import { describeOnLinux } from '../support/onLinux.js';
import { runLine, writeProgram } from './cliFixture.js';

describe('exec-sessions --on a server with a token', () => {
  const machine = useMachine();
  const token = randomBytes(24).toString('base64url');
  let server: RunningServer;

  beforeEach(async () => {
    const sha256 = createHash('sha256').update(token).digest('hex');
    server = await startOwnServer({
      args: ['--ws-auth', 'capability-token', '--ws-token-sha256', sha256],
    });
  });

  afterEach(() => server.stop());

  it('runs a command for a client with the token, without variables of this machine', async () => {
    const line = `MINE=here EXEC_SESSIONS_TOKEN=${token} exec-sessions run --on ${server.url} -- sh -c 'echo "$HOME $MINE"; exit 6'`;
    assert.deepEqual(await runLine(machine, line), { stdout: `${server.home} \n`, stderr: '', code: 6 });
  });

  it('refuses --detach where it could not find the session again', async () => {
    const line = `EXEC_SESSIONS_TOKEN=${token} exec-sessions run --detach --on ${server.url} -- sleep 1000`;
    const { stdout, stderr, code } = await runLine(machine, line);
    assert.deepEqual({ stdout, code }, { stdout: '', code: 125 });
    assert.match(stderr, /ends what it runs with this connection, so --detach cannot be used\.\n$/);
  });

  it('does nothing for a client without the token or with another one', async () => {
    for (const [variable, why] of [
      ['', /asks for a token\. Set it/],
      [`EXEC_SESSIONS_TOKEN=${token}x `, /does not accept the token: .* Set another one/],
    ] as const) {
      const line = `${variable}exec-sessions run --on ${server.url} -- touch was-here`;
      const { stdout, stderr, code } = await runLine(machine, line);
      assert.deepEqual({ stdout, code }, { stdout: '', code: 125 });
      assert.match(stderr, why);
      assert.match(stderr, /^exec-sessions: .*\. It is taken from EXEC_SESSIONS_TOKEN\.\n$/);
    }
    assert.equal(fs.existsSync(path.join(server.folder, 'was-here')), false);
  });
});

describeOnLinux('exec-sessions --on "ssh HOST"', () => {
  const machine = useMachine();
  let sshd: Sshd;

  beforeEach(async () => {
    sshd = await startSshd();
    ssh();
  });

  afterEach(() => sshd.stop());

  /** People have their hosts in ~/.ssh/config, which ssh finds without HOME. */
  const ssh = (...options: readonly string[]) => {
    const [name, ...configuration] = sshd.argv().slice(0, -1);
    writeProgram(path.join(machine.folder, 'home'), 'ssh', [
      findOnPath(['ssh']) ?? String(name),
      ...configuration,
      ...options,
    ]);
  };

  const runThere = (line: string) => runLine(machine, `PATH="$HOME:$PATH"; ${line}`);

  it('runs there, keeps what is detached, and lists it', async () => {
    const shown = await runThere(
      `exec-sessions run --on 'ssh there' -- sh -c 'echo "$HOME$SSH_CONNECTION"; exit 6'`,
    );
    assert.deepEqual(shown, { stdout: `${sshd.home}\n`, stderr: '', code: 6 });
    const detached = await runThere(
      "exec-sessions run --detach --title it --on 'ssh there' -- sleep 1000 && exec-sessions ls --on 'ssh there'",
    );
    assert.equal(detached.stderr, '');
    assert.match(detached.stdout, /^[-0-9a-f]{36}\n#.*NAME\n\d+ .* running .* you +it\n$/s);
    assert.deepEqual(await machine.servers(), [], 'nothing was started here');
  });

  it('says what ssh says when nobody answers', async () => {
    ssh('-p', '1');
    const { stdout, stderr, code } = await runThere("exec-sessions ls --on 'ssh there'");
    assert.deepEqual({ stdout, code }, { stdout: '', code: 1 });
    assert.match(stderr, /^exec-sessions: .*Connection refused/s);
  });
});
