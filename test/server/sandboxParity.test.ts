import assert from 'node:assert/strict';
import os from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { describeOnLinux } from '../support/onLinux.js';
import { useOneServer } from './program.js';
import { base64, sh, type RawClient } from './rawClient.js';
import { assertAlike, useRecording, type Difference, type Exchange } from './realClient.js';

/** A program, and what is sent to it once it has printed something. */
interface Run {
  readonly argv: readonly string[];
  readonly tty?: boolean;
  readonly then?: string;
  /** By default that of the real client in its mode read-only. */
  readonly permissions?: object | null;
}

const runs: Readonly<Record<string, Run>> = {
  'permission denied': { argv: sh('echo x: Permission denied; exit 1') },
  'operation not permitted': { argv: sh('echo x: Operation not permitted; exit 2') },
  'read-only file system': { argv: sh('echo x: Read-only file system >&2; exit 3') },
  'failed to write file': { argv: sh('echo failed to write file x; exit 4') },
  'a success with the words': { argv: sh('echo Permission denied') },
  'a failure without the words': { argv: sh('echo No such file or directory; exit 1') },
  'code 159': { argv: sh('exit 159') },
  'a write that is refused': { argv: sh('LC_ALL=C; : >/etc/refused') },
  'sandbox': { argv: sh('echo a Sandbox; exit 1') },
  'seccomp': { argv: sh('echo SECCOMP; exit 1') },
  'landlock': { argv: sh('echo landlocked; exit 1') },
  'words in any case': { argv: sh('echo pErMiSsIoN dEnIeD; exit 1') },
  'words in two parts': { argv: sh('printf "permission "; read -r x; printf denied; exit 1'), then: '\n' },
  'words on two streams': {
    argv: sh('printf "permission "; read -r x; printf denied >&2; exit 1'),
    then: '\n',
  },
  'words on a terminal': { argv: sh('echo Permission denied; exit 1'), tty: true },
  'a signal after the words': { argv: sh('echo Permission denied; kill -KILL $$') },
  'a command of the shell that is not there': { argv: sh('LC_ALL=C no-such-program') },
  'a command of the shell that is no program': { argv: sh('LC_ALL=C /etc/passwd') },
  'all permissions': {
    argv: sh('echo Permission denied; exit 1'),
    permissions: { type: 'disabled' },
  },
  'no sandbox': { argv: sh('echo Permission denied; exit 1'), permissions: null },
};

const READ_ONLY = {
  type: 'managed',
  file_system: {
    type: 'restricted',
    entries: [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }],
  },
  network: 'restricted',
};

/** How a server names the sandbox of a program, and what it says about the program's end. */
async function play(client: RawClient, name: string): Promise<readonly Exchange[]> {
  const { argv, tty = false, then, permissions = READ_ONLY } = runs[name] ?? assert.fail(name);
  const { prependPathDirs } = await client.request('environment/info');
  const folders = (prependPathDirs as readonly string[] | undefined)?.map((uri) => fileURLToPath(uri)) ?? [];
  const cwd = pathToFileURL(os.tmpdir()).href;
  const processId = name;
  const { sandboxType } = await client.start(processId, argv, {
    cwd,
    tty,
    pipeStdin: then !== undefined,
    env: { PATH: [...folders, '/usr/bin', '/bin'].join(':') },
    sandbox: permissions && { permissions, cwd, workspaceRoots: [cwd], windowsSandboxLevel: 'disabled' },
  });
  if (then !== undefined) {
    await client.told(processId, 'output');
    await client.request('process/write', { processId, writeId: '1', chunk: base64(then) });
  }
  await client.told(processId, 'closed');
  const { exitCode, sandboxDenied } = await client.request('process/read', { processId });
  return [[`${name}: ${argv.join(' ')}`, { sandboxType, exitCode, sandboxDenied }]];
}

const differences: readonly Difference[] = [
  {
    requests: /^all permissions:/,
    why: 'without a sandbox, nothing can be refused by one',
    ours: { sandboxType: 'linuxSeccomp', exitCode: 1, sandboxDenied: false },
  },
];

const recorded = useRecording('sandboxes', Object.keys(runs), ({ client }, name) => play(client, name));

describeOnLinux('Sandboxes of the real server and of ours', () => {
  const own = useOneServer();

  for (const name of Object.keys(runs)) {
    it(`are told alike: ${name}`, async () => {
      assertAlike(await play(own(), name), recorded(name), differences);
    });
  }
});
