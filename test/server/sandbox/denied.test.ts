import assert from 'node:assert/strict';

import { ifCodex, startCodexServer } from '../../support/codexServer.js';
import { type RunningServer, startOwnServer } from '../../support/execServer.js';
import { describeOnLinux } from '../../support/onLinux.js';
import { REFUSALS, type Written } from '../../support/refusals.js';
import { webSocketClient } from '../program.js';
import { base64, type RawClient, sh } from '../rawClient.js';

const READ_ONLY = {
  permissions: {
    type: 'managed',
    file_system: {
      type: 'restricted',
      entries: [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }],
    },
    network: 'restricted',
  },
  cwd: 'file:///tmp',
  workspaceRoots: [],
  windowsSandboxLevel: 'disabled',
};

const SERVERS = [
  ['our server', startOwnServer],
  ...ifCodex(['codex exec-server', startCodexServer] as const),
] as const;

for (const [name, start] of SERVERS) {
  describeOnLinux(`The end of a process in a sandbox of ${name}`, () => {
    let server: RunningServer;
    let client: RawClient;
    let env: Readonly<Record<string, string>>;
    before(async () => {
      server = await start();
      client = await webSocketClient(server.url);
      await client.handshake();
      // The real server finds its helper in its own folders.
      const { prependPathDirs = [] } = await client.request('environment/info', {});
      const folders = (prependPathDirs as readonly string[]).map((folder) => new URL(folder).pathname);
      env = { PATH: [...folders, '/usr/bin', '/bin'].join(':') };
    });
    after(async () => {
      client.transport.destroy('the test is over');
      await server.stop();
    });

    const endOf = async (id: string, script: string) => {
      await client.start(id, sh(script), { env, sandbox: READ_ONLY });
      return (await client.told(id, 'exited')).params;
    };

    it('counts as denied by a write that fails @all', async () => {
      const { sandboxDenied, deniedFile } = await endOf('write', 'echo x > /etc/hosts');
      assert.equal(sandboxDenied, true);
      assert.equal(deniedFile, name === 'our server' ? '/etc/hosts' : undefined);
    });

    it('counts as denied by words that are still retained @all', async () => {
      const script = (bytes: number) => `echo permission denied; head -c ${bytes} /dev/zero; exit 1`;
      assert.equal((await endOf('near', script(900_000)))['sandboxDenied'], true);
      assert.equal((await endOf('far', script(1_200_000)))['sandboxDenied'], false);
    });

    for (const [index, { title, refused, exitCode, written }] of REFUSALS.entries()) {
      it(`${refused ? 'counts' : 'does not count'} as denied by ${title} @all`, async () => {
        const id = `p${index}`;
        const tty = written.some(([stream]) => stream === 'pty');
        const script = [...written.map(writing), `exit ${exitCode}`].join('; read -r go; ');
        await client.start(id, sh(script), { env, tty, pipeStdin: !tty, sandbox: READ_ONLY });
        for (const step of written.keys()) {
          await client.untilTrue(() => client.numbers(id).length > step);
          await client.ask('process/write', { processId: id, writeId: String(step), chunk: base64('\n') });
        }
        const { params } = await client.told(id, 'exited');
        const read = await client.request('process/read', { processId: id });
        const exit = { exitCode, sandboxDenied: refused };
        assert.deepEqual({ exitCode: params['exitCode'], sandboxDenied: params['sandboxDenied'] }, exit);
        assert.deepEqual({ exitCode: read['exitCode'], sandboxDenied: read['sandboxDenied'] }, exit);
      });
    }
  });
}

/** The command of a shell that writes exactly these bytes. */
function writing([stream, text]: Written): string {
  const bytes = [...Buffer.from(text)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`);
  return `printf '%b' '${bytes.join('')}'${stream === 'stderr' ? ' >&2' : ''}`;
}
