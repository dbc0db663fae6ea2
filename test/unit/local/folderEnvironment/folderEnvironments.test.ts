import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { FolderEnvironment } from '../../../../src/core/index.js';
import { FolderEnvironments } from '../../../../src/local/folderEnvironment/folderEnvironments.js';
import { LocalBackend } from '../../../../src/local/index.js';
import { temporaryFolder } from '../../../rig/lifetime.js';
import { findOnPath } from '../../../rig/programs.js';
import { describeOnLinux } from '../../../support/onLinux.js';
import { processesWith } from '../../../support/processes.js';
import { until } from '../../../support/until.js';

/** Longer than any tool takes on a slow machine. */
const PATIENT_MS = 50_000;
/** Shorter than a tool that does not end. */
const IMPATIENT_MS = 200;

/** A user with an empty home, and a workspace; the tools are the real ones unless a test writes one. */
class Account {
  readonly home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-folder-')));
  readonly workspace = path.join(this.home, 'ws');
  readonly #remove = temporaryFolder(this.home);
  readonly #backend = new LocalBackend();
  /** Every process of it has this variable. */
  readonly #mark = `ES_FOLDER_TEST=${this.home}`;

  constructor() {
    fs.mkdirSync(this.workspace);
  }

  get env() {
    return {
      HOME: this.home,
      XDG_DATA_HOME: path.join(this.home, 'data'),
      PATH: `${this.home}/tools:/usr/bin:/bin`,
      ES_FOLDER_TEST: this.home,
    };
  }

  /** A window of this user. */
  window(shell = '/bin/false', limitMs = PATIENT_MS): FolderEnvironments {
    return new FolderEnvironments({
      start: this.#backend.startHelper.bind(this.#backend),
      hostEnv: { ...this.env, SHELL: shell },
      programs: '/programs',
      limitMs,
    });
  }

  write(file: string, text: string, mode = 0o644): string {
    const whole = path.join(this.home, file);
    fs.mkdirSync(path.dirname(whole), { recursive: true });
    fs.writeFileSync(whole, text, { mode });
    return whole;
  }

  read(file: string): string {
    return fs.readFileSync(path.join(this.home, file), 'utf8');
  }

  /** Runs a real tool as the user does in a terminal. */
  run(program: string, ...args: readonly string[]): void {
    execFileSync(program, args, { cwd: this.workspace, env: this.env, stdio: 'pipe' });
  }

  async untilNothingRuns(): Promise<void> {
    await until(
      () => processesWith(this.#mark),
      (pids) => pids.length === 0,
    );
  }

  /** A killed program may still be writing. */
  async dispose(): Promise<void> {
    await this.untilNothingRuns();
    await this.#remove();
  }
}

const foldersIn = ({ changes }: FolderEnvironment): readonly string[] => changes['PATH']?.split(':') ?? [];

describeOnLinux('the environment of a folder', () => {
  let account: Account;

  beforeEach(() => {
    account = new Account();
  });

  afterEach(() => account.dispose());

  const here = (window: FolderEnvironments, folder = account.workspace): Promise<FolderEnvironment> =>
    window.of(folder, account.workspace);

  describe('has the PATH of the login shell', () => {
    const files = { bash: '.bash_profile', zsh: '.zshrc', fish: '.config/fish/config.fish' };
    const paths = {
      bash: 'export PATH=/login:/bin',
      zsh: 'export PATH=/login:/bin',
      fish: 'set -gx PATH /login /bin',
    };
    const shells = ['bash', 'zsh', 'fish'] as const;

    for (const name of shells) {
      it(`of ${name}, whatever its files print, ask and leave running`, async () => {
        const noise = 'echo hello; printf "%0100000d" 7; read answer; sleep 1000 &';
        account.write(files[name], `${noise}\n${paths[name]}\n`);
        const environment = await here(account.window(findOnPath([name])));
        assert.deepEqual(environment.without, []);
        const folders = foldersIn(environment);
        assert.equal(folders[0], '/login');
        assert.deepEqual(folders.slice(-2), ['/usr/bin', '/programs'], 'nothing gets lost');
        await account.untilNothingRuns();
      });
    }

    it('or goes on without it if the shell leaves, and says so', async () => {
      for (const line of ['set -e; false', 'exec true', 'exec fish', 'exit 0']) {
        account.write('.bash_profile', `export PATH=/login:/bin\n${line}\n`);
        const environment = await here(account.window(findOnPath(['bash'])));
        assert.deepEqual([line, environment.without], [line, ['login']]);
        assert.equal(environment.changes['PATH'], `${account.env.PATH}:/programs`);
      }
    });

    it('or goes on without it if the shell never ends, and leaves nothing running', async () => {
      account.write('.bash_profile', 'sleep 1000 &\nwhile :; do :; done\n');
      const window = account.window(findOnPath(['bash']), IMPATIENT_MS);
      assert.deepEqual((await here(window)).without, ['login']);
      await account.untilNothingRuns();
    });

    it('or that of the shell in which the window was started', async () => {
      account.write('.bash_profile', 'touch asked; export PATH=/login:/bin\n');
      const backend = new LocalBackend();
      const window = new FolderEnvironments({
        start: backend.startHelper.bind(backend),
        hostEnv: { ...account.env, SHELL: '/bin/bash', VSCODE_CLI: '1' },
        programs: '/programs',
      });
      const environment = await here(window);
      assert.deepEqual(
        [environment.changes['PATH'], environment.without],
        [`${account.env.PATH}:/programs`, []],
      );
    });

    it('which is asked for once', async () => {
      account.write('.bash_profile', 'echo asked >> asked\n');
      const window = account.window(findOnPath(['bash']));
      await Promise.all([here(window), here(window), window.of(account.home, undefined)]);
      await here(window);
      assert.equal(account.read('asked'), 'asked\n');
    });
  });

  describe('has what direnv exports', () => {
    const allow = (): void => account.run('direnv', 'allow');

    it('once the user has allowed it, and no sooner', async () => {
      account.write('ws/.envrc', 'export FOO=bar\nPATH_add bin\nunset EDITOR\n');
      const window = account.window();
      const refused = await here(window);
      assert.deepEqual([refused.with, refused.without], [[], ['login', '.envrc']]);
      assert.deepEqual(Object.keys(refused.changes), ['PATH']);
      allow();
      const allowed = await here(window);
      assert.deepEqual([allowed.with, allowed.without], [['.envrc'], ['login']]);
      assert.equal(allowed.changes['FOO'], 'bar');
      assert.equal(foldersIn(allowed)[0], path.join(account.workspace, 'bin'));
    });

    it('until one of its files changes', async () => {
      const named = account.write('ws/named', 'one');
      account.write('ws/.envrc', 'echo run >> ../runs\nwatch_file named\nexport SAID=$(cat named)\n');
      allow();
      const window = account.window();
      const said = [await here(window), await here(window), await here(window)].map(
        ({ changes }) => changes['SAID'],
      );
      assert.deepEqual(said, ['one', 'one', 'one']);
      assert.equal(account.read('runs'), 'run\n');
      fs.writeFileSync(named, 'another');
      assert.equal((await here(window)).changes['SAID'], 'another');
    });

    it('unless it fails', async () => {
      account.write('ws/.envrc', 'export FOO=bar\nexit 3\n');
      allow();
      const environment = await here(account.window());
      assert.deepEqual([environment.with, environment.without], [[], ['login', '.envrc']]);
      assert.equal(environment.changes['FOO'], undefined);
    });

    it('unless it takes too long: the command does not wait, and later ones know', async () => {
      account.write('tools/direnv', '#!/bin/sh\nwhile :; do :; done\n', 0o755);
      account.write('ws/.envrc', '');
      const window = account.window('/bin/false', IMPATIENT_MS);
      const late = await here(window);
      assert.deepEqual([late.with, late.without], [[], ['login', '.envrc']]);
      assert.equal(late.changes['PATH'], `${account.env.PATH}:/programs`);
      await account.untilNothingRuns();
    });

    it('but nothing of an .envrc above the workspace', async () => {
      account.write('.envrc', 'export FOO=bar\n');
      const environment = await here(account.window());
      assert.deepEqual([environment.with, environment.without], [[], ['login']]);
      const outside = await account.window().of(account.home, undefined);
      assert.deepEqual([outside.with, outside.without], [[], ['login']]);
    });
  });

  it('has the nearest .venv', async () => {
    const python = findOnPath(['python3']) ?? assert.fail('no python3');
    execFileSync(python, ['-m', 'venv', '--without-pip', path.join(account.workspace, '.venv')]);
    const deep = path.join(account.workspace, 'a/b');
    fs.mkdirSync(deep, { recursive: true });
    const window = account.window();
    const venv = path.join(account.workspace, '.venv');
    const environment = await here(window, deep);
    assert.deepEqual(environment.with, ['.venv']);
    assert.deepEqual(environment.changes, {
      PATH: `${venv}/bin:${account.env.PATH}:/programs`,
      VIRTUAL_ENV: venv,
      PYTHONHOME: null,
    });
    account.write('ws/a/.venv/pyvenv.cfg', '');
    assert.equal((await here(window, deep)).changes['VIRTUAL_ENV'], path.join(account.workspace, 'a/.venv'));
    // On a PATH this would be two folders, the second one relative.
    account.write('ws/a:b/.venv/pyvenv.cfg', '');
    assert.deepEqual((await here(window, path.join(account.workspace, 'a:b'))).with, []);
  });

  it('has the Node of an .nvmrc, as nvm says', async () => {
    // The real nvm is not in the packages of Debian or npm. This one keeps what is used of it.
    const nvm = [
      'test "$1" = --no-use || return 1',
      'nvm() { echo noise; test -d "$NVM_DIR/versions/node/v$2.1.0" || return 3; echo "$NVM_DIR/versions/node/v$2.1.0/bin/node"; }',
    ];
    account.write('.nvm/nvm.sh', nvm.join('\n'));
    account.write('ws/.nvmrc', 'v22\n');
    const window = account.window();
    const missing = await here(window);
    assert.deepEqual([missing.with, missing.without], [[], ['login', 'node 22 (.nvmrc)']]);
    account.write('ws/.nvmrc', '22\n');
    fs.mkdirSync(path.join(account.home, '.nvm/versions/node/v22.1.0'), { recursive: true });
    const environment = await here(window);
    assert.deepEqual([environment.with, environment.without], [['node 22 (.nvmrc)'], ['login']]);
    assert.equal(foldersIn(environment)[0], path.join(account.home, '.nvm/versions/node/v22.1.0/bin'));
  });

  it('has the exports of mise, after direnv and before .venv', async () => {
    account.write('tools/mise', '#!/bin/sh\necho \'{"A":"mise","PATH":"/mise:\'"$PATH"\'"}\'\n', 0o755);
    account.write('ws/.tool-versions', 'node 22\n');
    account.write('ws/.venv/pyvenv.cfg', '');
    account.write('ws/.envrc', 'export A=direnv\nPATH_add /direnv\n');
    account.run('direnv', 'allow');
    const environment = await here(account.window());
    assert.deepEqual(environment.with, ['.envrc', '.tool-versions', '.venv']);
    assert.equal(environment.changes['A'], 'direnv');
    assert.deepEqual(foldersIn(environment).slice(0, 3), [
      '/direnv',
      '/mise',
      `${account.workspace}/.venv/bin`,
    ]);
  });

  it('is that of its files alone if their tools are not installed, or they are no files', async () => {
    for (const file of ['.envrc', 'mise.toml']) {
      account.write(`ws/${file}`, '');
    }
    account.write('.nvm/nvm.sh', '');
    execFileSync('mkfifo', [path.join(account.workspace, '.nvmrc')]);
    const window = new FolderEnvironments({
      start: () => Promise.reject(new Error('no room')),
      hostEnv: { ...account.env, PATH: '/nowhere', SHELL: '/bin/bash' },
      programs: '/programs',
    });
    const { changes, with: has, without } = await here(window);
    assert.deepEqual([changes, has, without], [{ PATH: '/nowhere:/programs' }, [], ['login']]);
  });

  it('does not name our own programs', async () => {
    account.write('ws/.venv/pyvenv.cfg', '');
    account.write('ws/.venv/bin/bash', '#!/bin/sh\n', 0o755);
    const window = account.window();
    assert.equal(foldersIn(await here(window))[0], path.join(account.workspace, '.venv/bin'));
    assert.equal(await window.program('bash'), '/usr/bin/bash');
    assert.equal(await window.program('no-such-shell'), 'no-such-shell');
  });
});
