import assert from 'node:assert/strict';

import type { ExecProcess, ProcessUsage, StartParams } from '../../src/core/index.js';
import { assertRejects } from '../support/assertRejects.js';
import { untilEvent, untilOutput } from '../support/collect.js';
import { INHERITING } from '../support/envPolicy.js';
import { freePort } from '../support/freePort.js';
import { until } from '../support/until.js';
import { sh } from '../support/startParams.js';
import { listeningKinds, useBackend } from './backends.js';

const MEGABYTE = 1024 * 1024;
const LISTENER = (port: number) => `node -e '
  require("net").createServer().listen(${port}, "127.0.0.1");
  process.stdin.on("end", process.exit).resume();
'`;
/** Runs a command in a POSIX session of its own. It has the input of the session, and so ends with it. */
const detached = (command: string) => `setsid ${command} <&3 &`;

for (const kind of listeningKinds.filter(({ server }) => server !== 'codex')) {
  describe(`The usage of a process of the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);
    const start = async (script: string, some: Partial<StartParams> = {}): Promise<ExecProcess> =>
      fixture.start({ argv: sh(script), envPolicy: INHERITING, pipeStdin: true, ...some });
    /** Asks until the answer is as wanted. */
    const usageOnce = async (
      started: ExecProcess,
      wanted: (usage: ProcessUsage) => boolean,
    ): Promise<ProcessUsage> => {
      let usage: ProcessUsage | undefined;
      await until(async () => {
        usage = await started.usage();
        return usage !== undefined && wanted(usage);
      });
      return usage ?? assert.fail();
    };

    it('is the processor time of what runs in it, and of children that have ended', async () => {
      const burn = `perl -e '1 while (times)[0] < 0.1'`;
      const started = await start(`${burn} & wait; exec cat`);
      const usage = await usageOnce(started, ({ cpuSeconds }) => cpuSeconds >= 0.1);
      assert.ok(usage.processes >= 1);
      // The burning child has ended, and its time is still there.
      await usageOnce(started, ({ processes, cpuSeconds }) => processes === 1 && cpuSeconds >= 0.1);
    });

    it('is the memory of all its processes', async () => {
      const fill = `exec python3 -c "import time; a = b'x' * ${64 * MEGABYTE}; time.sleep(1000)"`;
      const started = await start(`(${fill}) & ${fill}`);
      const usage = await usageOnce(started, ({ memoryBytes }) => memoryBytes >= 2 * 64 * MEGABYTE);
      assert.equal(usage.processes, 2);
    });

    it('are the ports at which its processes listen, and not those of others', async () => {
      const [one, two, other] = [await freePort(), await freePort(), await freePort()];
      const stranger = await start(`exec ${LISTENER(other)}`, { processId: 'stranger' });
      const started = await start(
        `exec 3<&0; ${LISTENER(one)} <&3 & ${detached(LISTENER(two))} exec cat >/dev/null`,
      );
      const { ports } = await usageOnce(started, (usage) => usage.ports?.length === 2);
      const sorted = [one, two].sort((first, second) => first - second);
      assert.deepEqual(
        ports,
        sorted.map((port) => ({ port, addresses: ['127.0.0.1'] })),
      );
      assert.deepEqual((await usageOnce(stranger, (usage) => usage.ports?.length === 1)).ports, [
        { port: other, addresses: ['127.0.0.1'] },
      ]);
    });

    it('is that of detached processes too, unless they have given up their variables', async () => {
      const marked = detached(`sh -c 'echo marked is there; exec cat >/dev/null'`);
      const bare = detached(`env -i /bin/sh -c 'echo bare is there; exec /bin/cat >/dev/null'`);
      const started = await start(`exec 3<&0; ${marked} ${bare} exec cat >/dev/null`);
      await Promise.all([untilOutput(started, 'marked is there'), untilOutput(started, 'bare is there')]);
      assert.equal((await usageOnce(started, () => true)).processes, 2);
    });

    it('is known although processes come and go during the look', async () => {
      const started = await start('while :; do for i in 1 2 3 4; do /bin/true & done; wait; done');
      for (let look = 0; look < 10; look++) {
        const usage = (await started.usage()) ?? assert.fail('It runs.');
        assert.ok(usage.processes >= 1);
        assert.ok(usage.memoryBytes > 0);
        assert.deepEqual(usage.ports, []);
      }
    });

    it('is nothing once it has exited', async () => {
      const started = await start('exec cat');
      await usageOnce(started, ({ processes }) => processes === 1);
      await started.closeStdin();
      await untilEvent(started, 'exited');
      assert.equal(await started.usage(), undefined);
    });
  });
}

for (const kind of listeningKinds.filter(({ server }) => server === 'codex')) {
  describe(`The usage of a process of the ${kind.name} backend`, () => {
    const fixture = useBackend(kind);

    it('cannot be told', async () => {
      assert.equal(fixture.backend.capabilities.usage, false);
      const started = await fixture.start({ argv: ['sleep', '1000'] });
      const error = await assertRejects(started.usage(), -32600, 'the exec-server does not support usage');
      assert.match(error.message, /cannot tell what a process uses/);
    });
  });
}
