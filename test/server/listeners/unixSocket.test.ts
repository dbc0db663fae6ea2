import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { unixClient, usePrograms, type Program } from '../program.js';

describe('The Unix socket listener', () => {
  const fixture = usePrograms();
  const file = () => path.join(fixture.folder, 'private/server.sock');
  const listen = (...args: string[]) => fixture.run(['--listen', `unix:${file()}`, ...args]);

  it('is for its owner alone', async () => {
    const program = listen();
    assert.equal(await program.ready, `unix:${file()}`);
    assert.equal(fs.statSync(path.dirname(file())).mode & 0o777, 0o700);
    assert.equal(fs.statSync(file()).mode & 0o777, 0o600);
    const [one, other] = [await unixClient(file()), await unixClient(file())];
    await Promise.all([one.handshake(), other.handshake()]);
    await one.start('p', ['sleep', '100']);
    const { processes } = await other.request('process/list');
    assert.ok(Array.isArray(processes) && processes.length === 1);
    program.kill('SIGTERM');
    assert.equal(await program.ended, 0);
    assert.deepEqual(fs.readdirSync(path.dirname(file())), []);
  });

  for (const umask of ['000', '002', '022', '077']) {
    it(`is for its owner alone with the umask ${umask} as well`, async () => {
      const prefix = ['/bin/sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];
      await fixture.run(['--listen', `unix:${file()}`], { prefix }).ready;
      assert.equal(fs.statSync(path.dirname(file())).mode & 0o777, 0o700);
      assert.equal(fs.statSync(file()).mode & 0o777, 0o600);
    });
  }

  it('refuses a folder that others can look into', async () => {
    fs.mkdirSync(path.dirname(file()));
    fs.chmodSync(path.dirname(file()), 0o755);
    const program = listen();
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^Error: others can look into the folder .*mode 700/);
    // The message must not suggest chmod: the folder may be /tmp, and its reader may be root.
    assert.doesNotMatch(program.stderr(), /chmod/);
  });

  it('refuses a folder of somebody else', async () => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      fs.mkdirSync(path.dirname(file()), { mode: 0o700 });
      fs.chownSync(path.dirname(file()), 12_345, 12_345);
    }
    const program = isRoot ? listen() : fixture.run(['--listen', 'unix:/x.sock']);
    assert.equal(await program.ended, 1);
    assert.match(program.stderr(), /^Error: the folder .* belongs to another user/);
  });

  it('leaves the socket of another one alone at its end', async () => {
    const first = listen();
    await first.ready;
    fs.rmSync(file());
    await listen().ready;
    first.kill('SIGTERM');
    assert.equal(await first.ended, 0);
    await (await unixClient(file())).handshake();
  });

  it('refuses a folder that is a link, and a file that is no socket', async () => {
    const real = path.join(fixture.folder, 'real');
    fs.mkdirSync(real, { mode: 0o700 });
    fs.symlinkSync(real, path.dirname(file()));
    const linked = listen();
    assert.equal(await linked.ended, 1);
    assert.match(linked.stderr(), /must be a folder, and is a link/);
    fs.rmSync(path.dirname(file()));
    fs.mkdirSync(path.dirname(file()), { mode: 0o700 });
    fs.writeFileSync(file(), 'precious');
    const occupied = listen();
    assert.equal(await occupied.ended, 1);
    assert.match(occupied.stderr(), /is there already, and is not a socket/);
    assert.equal(fs.readFileSync(file(), 'utf8'), 'precious');
  });

  /** Starts several servers at once. @returns those that listen; the others have reported why they do not. */
  const compete = async (): Promise<Program[]> => {
    const programs = Array.from({ length: 5 }, () => listen());
    const ready = await Promise.all(programs.map((program) => program.ready.catch(() => undefined)));
    for (const [index, program] of programs.entries()) {
      if (ready[index] === undefined) {
        assert.equal(await program.ended, 1);
        assert.match(program.stderr(), /^Error: a server listens on .* already/);
      }
    }
    return programs.filter((_, index) => ready[index] !== undefined);
  };

  it('has one server, however many want it, and another one if that has died', async () => {
    for (let round = 0; round < 2; round++) {
      const [winner, ...others] = await compete();
      assert.ok(winner !== undefined && others.length === 0);
      assert.deepEqual(await compete(), []);
      await (await unixClient(file())).handshake();
      assert.deepEqual(fs.readdirSync(path.dirname(file())), ['server.sock']);
      winner.kill('SIGKILL');
      await winner.ended;
      assert.ok(fs.statSync(file()).isSocket());
    }
  });

  it('ends when nobody has used it for the time that it was given', async () => {
    const program = listen('--exit-when-idle-seconds', '1', '--detached-session-seconds', '0');
    await program.ready;
    const client = await unixClient(file());
    await client.handshake();
    client.transport.destroy('enough');
    assert.equal(await program.ended, 0);
    assert.ok(!fs.existsSync(file()));
  });
});
