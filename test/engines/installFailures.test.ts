import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { EngineConnectorOptions, NodeQuestion } from '../../src/engines/index.js';
import { readServerFiles, serverFolderName } from '../../src/machine/index.js';
import { type Sshd, startSshd } from '../rig/sshd.js';
import { DIST, EmptyAccount, NEEDED, VERSION } from '../support/emptyAccount.js';
import { failureOf } from '../support/failures.js';
import { describeOnLinux } from '../support/onLinux.js';
import { describeDisks, withDisk } from '../support/smallDisk.js';

const FOLDER = serverFolderName(VERSION, readServerFiles(DIST));

/** Runs the argument that it gets after it has done something else. */
const loginThat = (script: string) => ['/bin/sh', '-c', `${script}; exec sh -c "$1"`, 'sh'];
/**
 * Says that instead of the script, with its mark, and keeps in a file what it is sent. The file is there before the
 * first word: one that appeared after the failure would be in the way of the removal of its folder.
 */
const saying = (words: string, file: string) => [
  ...['/bin/bash', '-c'],
  `exec 3>'${file}'; [[ $1 =~ EXEC-SESSIONS-[0-9a-f]+ ]]; M=\${BASH_REMATCH[0]}; ${words}; exec /bin/cat >&3`,
  'bash',
];

describeOnLinux('An installation that cannot succeed', () => {
  let account: EmptyAccount;
  beforeEach(() => {
    account = new EmptyAccount();
  });
  afterEach(() => account.remove());

  const fails = async (
    shell: readonly string[],
    kind: string,
    text: RegExp,
    options: Partial<EngineConnectorOptions> = {},
  ) => {
    await failureOf(account.connect(account.argv(shell), options), kind, text);
    assert.deepEqual(
      account.content().filter((name) => !/^\.cache(\/exec-sessions)?$/.test(name)),
      [],
    );
  };
  const SHELL = ['/bin/sh', '-c'];

  it('names the tool that is missing', async () => {
    for (const name of NEEDED) {
      const file = path.join(account.programs, name);
      const target = fs.readlinkSync(file);
      fs.rmSync(file);
      await fails(SHELL, 'installFailed', new RegExp(`needs ${name} there`));
      fs.symlinkSync(target, file);
    }
  });

  it('says that a login ends, or waits, before the first word', async () => {
    await fails(['/bin/false'], 'loginEnded', /fixed command/);
    await fails(['/bin/sh', '-c', 'echo 12:00 up 3 days'], 'loginEnded', /fixed command/);
    await fails(['/bin/sh', '-c', 'exit 0'], 'loginEnded', /bashrc/);
    await fails(loginThat('read line'), 'loginSilent', /wait for input/, { silenceMs: 300 });
    await fails(['/usr/bin/yes'], 'loginSilent', /Nothing came/, { silenceMs: 300 });
  });

  it('writes into no file that another user has put in its way', async () => {
    const file = path.join(account.folder, 'file');
    fs.writeFileSync(file, 'precious');
    // The folder for the caches may be one that others can write into.
    const link = `/bin/ln -s '${file}' "$HOME/.exec-sessions.$(uname -n).$$"`;
    await failureOf(account.connect(account.argv(loginThat(link))), 'installFailed', /File exists/);
    assert.equal(fs.readFileSync(file, 'utf8'), 'precious');
    assert.equal(account.content().length, 1);
  });

  it('shows the last words of a program that ends before', async () => {
    const words = 'echo first >&2; echo "ssh: Could not resolve hostname nowhere" >&2; exit 255';
    await fails(['/bin/sh', '-c', words], 'connectFailed', /255: ssh: Could not resolve hostname nowhere\.$/);
    await fails(
      ['/bin/sh', '-c', 'echo "sh: 1: exec: sh: not found" >&2; exit 127'],
      'noShellThere',
      /no sh/,
    );
    const docker = 'OCI runtime exec failed: exec: \\"sh\\": executable file not found in $PATH: unknown';
    await fails(['/bin/sh', '-c', `echo '${docker}' >&2; exit 127`], 'noShellThere', /no sh/);
  });

  it('does not count silence while a person is asked', async () => {
    let asked = 0;
    const isAsking = () => ++asked < 4;
    await fails(loginThat('read line'), 'loginSilent', /0\.1 seconds/, { silenceMs: 100, isAsking });
    assert.equal(asked, 4);
  });

  it('leaves nothing after a cut at any place, and the next one succeeds', async () => {
    for (const bytes of [0, 1, 60, 200, 5_000, 120_000, 200_000]) {
      const cut = ['/bin/sh', '-c', `head -c ${bytes} | exec sh -c "$1"`, 'sh'];
      await failureOf(account.connect(account.argv(cut)), 'installFailed', /\S/);
      assert.deepEqual(account.entries(), [], `after ${bytes} bytes`);
    }
    await account.connect();
    assert.deepEqual(account.entries(), [FOLDER]);
  });

  it('refuses other bytes than those that were sent', async () => {
    const spoil = `process.stdin.on('data', (bytes) => {
      if (bytes.length > 1000) bytes[500] ^= 1;
      process.stdout.write(bytes);
    })`;
    const shell = ['/bin/sh', '-c', `'${process.execPath}' -e "${spoil}" | exec sh -c "$1"`, 'sh'];
    await fails(shell, 'installFailed', /what came is not what was sent/);
    fs.rmSync(path.join(account.programs, 'sha512sum'));
    await fails(shell, 'installFailed', /\S/);
  });

  it('does not use a folder that is not private', async () => {
    fs.mkdirSync(account.copies, { recursive: true, mode: 0o755 });
    await fails(SHELL, 'installFailed', /only this account can look into/);
    fs.rmSync(account.copies, { recursive: true });
    fs.symlinkSync('/tmp', account.copies);
    await failureOf(account.connect(), 'installFailed', /only this account can look into/);
  });

  describeDisks('on a disk', () => {
    const cases = [
      ['is full', 400_000, ':', 'noSpaceThere', /no space/],
      ['may only be read', 9_000_000, 'mount -o remount,ro "$2"', 'installFailed', /Read-only file system/],
      ['runs no programs', 9_000_000, 'mount -o remount,noexec "$2"', 'noExecThere', /noexec/],
    ] as const;
    for (const [title, size, prepare, kind, text] of cases) {
      it(`that ${title}`, async () => {
        const [program = '', ...disk] = withDisk(size, account.home, prepare);
        const variables = [`HOME=${account.home}`, `XDG_RUNTIME_DIR=${account.run}`];
        const argv = [program, ...disk, 'env', ...variables, 'sh', '-c'];
        await failureOf(account.connect(argv), kind, text);
      });
    }
  });

  describe('with a hostile machine', () => {
    const cases = [
      ['another system', 'need ../../etc/passwd x64 2.36 yes yes', /makes no sense/],
      ['another processor', 'need linux ../../x64 2.36 yes yes', /makes no sense/],
      ['huge numbers', 'need linux x64 99999999999999999999.1 no yes', /makes no sense/],
      ['a word of its own', 'failed write \\033red', /: red\.$/],
      ['a tool of its own', 'failed tool $(reboot)', /needs a tool there/],
    ] as const;
    for (const [title, words, text] of cases) {
      it(`that names ${title}`, async () => {
        const sent = path.join(account.folder, 'sent');
        const shell = saying(`printf '\\n%s ${words}\\n' "$M"`, sent);
        await failureOf(account.connect(account.argv(shell)), 'installFailed', text);
        assert.equal(fs.readFileSync(sent, 'utf8'), '');
      });
    }

    it('that asks again and again', async () => {
      const words = `for i in 1 2 3 4; do printf '\\n%s need linux x64 2.36 yes yes\\n' "$M"; done`;
      const shell = saying(words, path.join(account.folder, 'sent'));
      await failureOf(account.connect(account.argv(shell)), 'installFailed', /makes no sense/);
    });

    it('that says why it takes nothing more, and ends', async () => {
      // It does not read what is sent, which is more than a pipe holds.
      const words = `printf '\\n%s need linux x64 2.36 yes yes\\n\\n%s failed space\\n' "$M" "$M"; exec /bin/sleep 1000 >/dev/null`;
      await failureOf(account.connect(account.argv(saying(words, '/dev/null'))), 'noSpaceThere', /no space/);
    });

    it('that never ends its line', async () => {
      const shell = saying(
        `printf '\\n%s need ' "$M"; exec /usr/bin/head -c 30000000 /dev/zero`,
        '/dev/null',
      );
      await failureOf(account.connect(account.argv(shell)), 'loginEnded', /\S/);
    });

    it('that is ready, and then speaks rubbish', async () => {
      const shell = saying(`printf '\\n%s ready\\nrubbish\\n' "$M"; echo '{"id":1,"result":7}'`, '/dev/null');
      await failureOf(account.connect(account.argv(shell)), 'notExecServer', /makes no sense/);
    });
  });
});

describeOnLinux('A machine without Node', () => {
  let account: EmptyAccount;
  let questions: NodeQuestion[];
  beforeEach(() => {
    account = new EmptyAccount({ node: false });
    questions = [];
  });
  afterEach(() => account.remove());

  const fails = async (allow: boolean, kind: string, text: RegExp, env = process.env) => {
    const mayInstallNode = (question: NodeQuestion) => {
      questions.push(question);
      return Promise.resolve(allow);
    };
    await failureOf(account.connect(account.argv(), { mayInstallNode, env }), kind, text);
    assert.deepEqual(account.content(), []);
  };
  const libc = (words: string) => {
    const file = path.join(account.programs, 'getconf');
    fs.rmSync(file);
    fs.writeFileSync(file, `#!/bin/sh\necho '${words}'\n`, { mode: 0o755 });
  };

  it('gets nothing if the question for Node is denied', async () => {
    await fails(false, 'noNodeThere', /no Node 20 or newer/);
    assert.deepEqual(
      questions.map(({ version }) => version),
      ['22.23.3'],
    );
    assert.ok((questions[0]?.bytes ?? 0) > 30_000_000);
  });

  it('with an old libc is not asked about', async () => {
    libc('glibc 2.17');
    await fails(true, 'oldLibcThere', /it has glibc 2\.17\. It needs glibc 2\.28/);
    assert.deepEqual(questions, []);
  });

  it('gets none from a machine without npm', async () => {
    await fails(true, 'nodeNotFetched', /there is no npm here\. Install Node 20/, {
      PATH: '/nowhere',
    });
  });

  it('gets one, and then a server that runs on it @all', async () => {
    await account.connect(account.argv(), { mayInstallNode: () => Promise.resolve(true) });
    assert.deepEqual(account.steps, ['look', 'fetchNode', 'sendNode', 'sendServer', 'start']);
    const node = `node-22.23.3-linux-${os.arch()}`;
    assert.deepEqual(account.entries(), [node, FOLDER]);
    assert.deepEqual(fs.readdirSync(path.join(account.copies, node, 'package')).sort(), ['LICENSE', 'bin']);
    await account.connect();
    assert.deepEqual(account.steps, ['look', 'start']);
  });
});

describeOnLinux('A host whose key is not the known one', () => {
  let sshd: Sshd;
  const account = new EmptyAccount();
  before(async () => {
    sshd = await startSshd();
  });
  after(async () => {
    await account.remove();
    await sshd.stop();
  });

  it('is not connected to', async () => {
    const [ssh = '', ...words] = sshd.argv();
    const argv = [ssh, '-o', 'StrictHostKeyChecking=yes', '-o', 'UserKnownHostsFile=/dev/null', ...words];
    await failureOf(account.connect(argv), 'hostKeyRefused', /compare the key/);
  });
});
