import assert from 'node:assert/strict';

import { assertRejects } from '../../../support/assertRejects.js';
import { programCandidates } from '../../../../src/local/windows/programCandidates.js';
import { windowsStart, type FindProgram } from '../../../../src/local/windows/windowsStart.js';

/** The files of a machine on which npm has installed codex, which is the program of an environment. */
const FILES = ['C:\\Users\\me\\npm\\codex.cmd', 'C:\\Program Files\\Git\\usr\\bin\\ssh.exe'];
const PATH = 'C:\\Users\\me\\npm;C:\\Program Files\\Git\\usr\\bin';

const find: FindProgram = ({ program, cwd, env }) =>
  Promise.resolve(programCandidates(program, { cwd, env, hostEnv: {} }).find((file) => FILES.includes(file)));

const start = (argv: readonly [string, ...string[]], arg0?: string) =>
  windowsStart({ argv, arg0, cwd: 'C:\\', env: { Path: PATH } }, find);

describe('A start on Windows', () => {
  it('of a batch file is one of cmd.exe, to which the arguments are passed as one text', async () => {
    const made = await start(['codex', 'exec-server', '--listen', 'stdio']);
    const [file = '', text] = made?.argv ?? [];
    assert.match(file, /\\System32\\cmd\.exe$/);
    const line = '"C:\\Users\\me\\npm\\codex.cmd" exec-server --listen stdio';
    assert.equal(text, `/d /e:on /v:off /s /c "${line}"`);
    assert.deepEqual([made?.arg0, made?.verbatim], [file, true]);
  });

  it('of a program has its whole path, quoted where Windows splits it', async () => {
    const [, ssh] = FILES;
    assert.deepEqual(await start(['ssh', 'there', 'a b']), {
      argv: [ssh, 'there "a b"'],
      arg0: `"${ssh}"`,
      verbatim: true,
    });
    assert.deepEqual(await start(['ssh'], 'other'), { argv: [ssh], arg0: 'other', verbatim: true });
  });

  it('does not exist without its program, or with what cmd.exe would misread', async () => {
    assert.equal(await start(['npx', 'codex']), undefined);
    await assertRejects(start(['codex', 'a\nb']), -32602, 'cmd.exe cannot be given a line break');
  });
});
