import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { useMachine } from '../server/machine/machineFixture.js';
import { type RunningServer, startOwnServer } from '../support/execServer.js';
import { cli, runLine } from './cliFixture.js';

describe('exec-sessions run --on several places', () => {
  const machine = useMachine();
  const servers: RunningServer[] = [];
  const silent: net.Server[] = [];

  afterEach(async () => {
    silent.splice(0).forEach((server) => server.close());
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  /** @returns The places of new servers. */
  async function places(count: number): Promise<readonly string[]> {
    const started = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        startOwnServer({ args: ['--listen', `unix:${path.join(machine.folder, `s${index}`)}`] }),
      ),
    );
    servers.push(...started);
    return started.map((_, index) => `unix://${path.join(machine.folder, `s${index}`)}`);
  }

  const run = (on: readonly string[], rest: string) =>
    runLine(machine, `exec-sessions run ${on.map((place) => `--on ${place}`).join(' ')} ${rest}`);

  it('prints the lines of all with their places, a table, and has the highest exit code', async () => {
    const on = await places(3);
    const { stdout, stderr, code } = await run(
      on,
      `-- sh -c 'echo one; printf two; test ! -e $0 || exit 7' x`,
    );
    assert.deepEqual(
      stdout.trimEnd().split('\n').toSorted(),
      on.flatMap((place) => [`${place} | one`, `${place} | two`]).toSorted(),
    );
    assert.match(stderr, /^PLACE +END +SECONDS +REASON\n/);
    assert.match(stderr, /\n3 of 3 exit 0\n$/);
    assert.equal(code, 0);
    const failed = await run(on, `-- sh -c 'exit 7'`);
    assert.match(failed.stderr, / exit 7 [^]*\n0 of 3 exit 0, 3 failed\n$/);
    assert.equal(failed.code, 7);
  });

  it('runs at most so many side by side', async () => {
    const on = await places(4);
    // Each makes its mark, and fails if it sees more than two.
    const count = `mkdir $0/$$; n=$(ls $0 | wc -l); for i in 1 2 3 4 5; do m=$(ls $0 | wc -l); [ $m -gt $n ] && n=$m; sleep 0.1; done; rmdir $0/$$; [ $n -le 2 ]`;
    const marks = path.join(machine.folder, 'marks');
    const { stderr, code } = await run(on, `-j 2 -- sh -c 'mkdir -p $0; ${count}' ${marks}`);
    assert.equal(code, 0, stderr);
  });

  it('waits for each place by itself, and says which one cannot be reached', async () => {
    const [good = ''] = await places(1);
    const gone = `unix://${path.join(machine.folder, 'gone')}`;
    const { stdout, stderr, code } = await run([gone, good], '-- echo there');
    assert.equal(stdout, `${good} | there\n`);
    assert.match(stderr, /gone +lost +Cannot connect to .*: nothing is listening there/);
    assert.match(stderr, /\n1 of 2 exit 0, 1 lost\n$/);
    assert.equal(code, 125);
  });

  it('answers with JSON', async () => {
    const [first = '', second = ''] = await places(2);
    const { stdout, code } = await run([first, second], `--json -- sh -c 'echo noise; exit 3'`);
    const { version, places: ends } = JSON.parse(stdout) as {
      readonly version: number;
      readonly places: readonly Record<string, unknown>[];
    };
    assert.equal(version, 1);
    assert.deepEqual(
      ends.map(({ place, exitCode, signal, lost }) => ({ place, exitCode, signal, lost })),
      [first, second].map((place) => ({ place, exitCode: 3, signal: null, lost: null })),
    );
    assert.equal(code, 3);
  });

  it('names no host for a pattern that none matches', async () => {
    const { stderr, code } = await run(["'no-such-*'"], '-- true');
    assert.match(stderr, /No host matches "no-such-\*"\. The ssh configuration names \d+ hosts\./);
    assert.equal(code, 2);
  });

  it('starts nothing any more after Ctrl-C, also where it is still connecting', async () => {
    const file = path.join(machine.folder, 'hangs');
    const server = net.createServer(() => undefined);
    silent.push(server);
    await new Promise<void>((resolve) => server.listen(file, resolve));
    const [good = ''] = await places(1);
    const { stdout, stderr, code } = await runLine(
      machine,
      `'${process.execPath}' '${cli}' run --on unix://${file} --on ${good} -- sh -c 'trap "exit 4" INT; echo up; while :; do sleep 0.1; done' > out & pid=$!
       until grep -q up out; do sleep 0.05; done; kill -INT $pid; wait $pid`,
    );
    assert.equal(stdout, '');
    assert.match(stderr, /hangs +lost +not started\n/);
    assert.match(stderr, / exit 4 /);
    assert.equal(code, 125);
  });

  it('lets 37 places answer while three hang', async () => {
    const [good = ''] = await places(1);
    const hanging = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const file = path.join(machine.folder, `hangs${number}`);
        const server = net.createServer(() => undefined);
        silent.push(server);
        await new Promise<void>((resolve) => server.listen(file, resolve));
        return `unix://${file}`;
      }),
    );
    // The same server by 37 names.
    const names = Array.from({ length: 37 }, (_, index) => {
      const file = path.join(machine.folder, `n${index}`);
      fs.symlinkSync(good.slice('unix://'.length), file);
      return `unix://${file}`;
    });
    const { stdout, stderr, code } = await run([...hanging, ...names], '-j 40 -- echo there');
    assert.match(stderr, /\n37 of 40 exit 0, 3 lost\n$/);
    assert.equal(stdout.trimEnd().split('\n').length, 37);
    assert.equal(code, 125);
  }).timeout(60_000);
});
