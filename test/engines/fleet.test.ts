import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { ConnectionState, ExecProcess } from '../../src/core/index.js';
import { engineConnector } from '../../src/engines/index.js';
import { RemoteBackend } from '../../src/remote/index.js';
import { type Fleet, noFleet, startFleet } from '../rig/fleet.js';
import { collectEvents, untilOutput } from '../support/collect.js';
import { ownServer } from '../support/execServer.js';
import { until } from '../support/until.js';

const SIZE = 8;
const CUT = [1, 2, 3, 4];

/** A session on one host that counts until it is told to stop. */
interface Host {
  readonly backend: RemoteBackend;
  readonly states: ConnectionState['kind'][];
  readonly stopFile: string;
}

(noFleet === undefined ? describe : describe.skip)('A fleet of hosts behind a slow line @all', () => {
  let fleet: Fleet;
  let hosts: readonly Host[];

  before(async () => {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${ownServer}' "$@"\n`;
    fleet = await startFleet(SIZE, (folder) =>
      fs.writeFileSync(path.join(folder, 'exec-server'), script, { mode: 0o755 }),
    );
    await fleet.tell('rtt 100');
    hosts = await Promise.all(
      fleet.hosts.map(async (name) => {
        const connector = engineConnector({
          reached: { kind: 'member', member: { engine: 'ssh', name } },
          files: path.dirname(ownServer),
          version: '0.0.0',
          env: fleet.env,
          mayInstallNode: () => Promise.resolve(false),
        });
        const backend = await RemoteBackend.connect({ connector, clientName: 'fleet' });
        const states: ConnectionState['kind'][] = [];
        backend.onDidChangeConnection(({ kind }) => states.push(kind));
        return { backend, states, stopFile: path.join(fleet.home(name), 'stop') };
      }),
    );
  });
  after(async () => {
    await Promise.all(hosts.map(({ backend }) => backend.shutdown({ graceMs: { interrupt: 0 } })));
    await fleet.stop();
  });

  const start = ({ backend }: Host, script: string): Promise<ExecProcess> =>
    backend.start({
      processId: script,
      argv: ['/bin/sh', '-c', script],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      tty: false,
      pipeStdin: false,
    });

  it('runs one command on all of them, each with its own exit code', async () => {
    const runs = hosts.map(async (host, index) => collectEvents(await start(host, `exit ${index}`)));
    const codes = (await Promise.all(runs)).map(({ exit }) => exit?.exitCode);
    assert.deepEqual(codes, [...hosts.keys()]);
  });

  it('is back after a cut, without a missing line, and over one connection for each host', async () => {
    const counts = await Promise.all(
      hosts.map((host) =>
        start(
          host,
          `i=0; until [ -e '${host.stopFile}' ]; do i=$((i+1)); echo $i; sleep 0.1; done; echo end $i`,
        ),
      ),
    );
    const ends = counts.map((process) => collectEvents(process));
    await Promise.all(counts.map((process) => untilOutput(process, '10\n')));
    for (const number of CUT) await fleet.tell(`cut ${number}`);
    await until(
      () => CUT.map((number) => hosts[number - 1]?.states.at(-1)).join(),
      'recovering,'.repeat(4).slice(0, -1),
    );
    await fleet.tell('heal all');
    await until(() => hosts.filter(({ states }) => states.at(-1) === 'recovering').length, 0);
    for (const { stopFile } of hosts) fs.writeFileSync(stopFile, '');
    for (const { stdout, exit } of await Promise.all(ends)) {
      const [, last = '0'] = /end (\d+)\n$/.exec(stdout) ?? [];
      const lines = Array.from({ length: Number(last) }, (_, index) => `${index + 1}\n`);
      assert.equal(stdout, `${lines.join('')}end ${last}\n`);
      assert.equal(exit?.exitCode, 0);
    }
    assert.deepEqual(
      hosts.map(({ states }) => states.join()),
      hosts.map((_, index) => (CUT.includes(index + 1) ? 'recovering,connected' : '')),
    );
    // The command of the line that fell silent has a moment to end by itself.
    await until(() => fleet.connections().join(), hosts.map(() => 1).join());
  });
});
