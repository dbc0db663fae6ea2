import assert from 'node:assert/strict';

import { childVariables, type HostInfo, type Sandbox, startParams } from '../../../../src/core/index.js';
import { interactiveShell, readsProfile, type ShellChoice } from '../../../../src/core/launch/command.js';
import {
  type Launch,
  type LaunchOrigin,
  launchRequest,
  type LaunchPlace,
} from '../../../../src/core/launch/launch.js';

const PLATFORMS = { linux: 'linux', macos: 'darwin', windows: 'win32' };
type Platform = keyof typeof PLATFORMS;

/** Variables of a person at another terminal, whose VS Code debugs itself. */
const HOST_ENV = {
  PATH: '/bin',
  API_TOKEN: 'secret',
  TERM: 'xterm-kitty',
  TERM_PROGRAM: 'kitty',
  TERM_PROGRAM_VERSION: '0.40',
  FORCE_COLOR: '1',
  PAGER: 'less -R',
  MANPAGER: 'nvim +Man!',
  NODE_OPTIONS: '--require js-debug',
  VSCODE_PID: '1',
  PATHEXT: '.EXE',
};

/** The arguments of each shell, which are the same on every platform. */
const ARGUMENTS = `
shell          | started by  | terminal                         | pipes
/bin/bash      | person      | -c LINE                          | -c LINE
/bin/bash      | agent, chat | -c LINE                          | -c LINE
/bin/bash      | agent, MCP  | -c LINE                          | -c LINE
zsh            | person      | -c LINE                          | -c LINE
zsh            | agent, chat | -c LINE                          | -c LINE
zsh            | agent, MCP  | -c LINE                          | -c LINE
sh             | person      | -c LINE                          | -c LINE
sh             | agent, chat | -c LINE                          | -c LINE
sh             | agent, MCP  | -c LINE                          | -c LINE
/usr/bin/pwsh  | person      | -NoLogo -Command LINE            | -NoLogo -Command LINE
/usr/bin/pwsh  | agent, chat | -NoLogo -NoProfile -Command LINE | -NoLogo -NoProfile -NonInteractive -Command LINE
/usr/bin/pwsh  | agent, MCP  | -NoLogo -NoProfile -Command LINE | -NoLogo -NoProfile -NonInteractive -Command LINE
powershell.exe | person      | -NoLogo -Command LINE            | -NoLogo -Command LINE
powershell.exe | agent, chat | -NoLogo -NoProfile -Command LINE | -NoLogo -NoProfile -NonInteractive -Command LINE
powershell.exe | agent, MCP  | -NoLogo -NoProfile -Command LINE | -NoLogo -NoProfile -NonInteractive -Command LINE
CMD.EXE        | person      | /d /s /c LINE                    | /d /s /c LINE
CMD.EXE        | agent, chat | /d /s /c LINE                    | /d /s /c LINE
CMD.EXE        | agent, MCP  | /d /s /c LINE                    | /d /s /c LINE
`;

/** An empty line stands for a missing variable. */
const POSIX_VARIABLES = `
on                   | terminal       | terminal       | terminal       | pipes       | pipes          | pipes
started by           | person         | agent, chat    | agent, MCP     | person      | agent, chat    | agent, MCP
API_TOKEN            | secret         | secret         | secret         | secret      | secret         | secret
COLORTERM            | truecolor      | truecolor      | truecolor      |             |                |
DEBIAN_FRONTEND      |                |                |                |             | noninteractive | noninteractive
FORCE_COLOR          | 1              | 1              | 1              | 1           |                |
GH_PAGER             |                | cat            | cat            |             | cat            | cat
GIT_EDITOR           |                |                |                |             | true           | true
GIT_PAGER            |                | cat            | cat            |             | cat            | cat
GIT_TERMINAL_PROMPT  |                |                |                |             | 0              | 0
LANG                 | C.UTF-8        | C.UTF-8        | C.UTF-8        |             |                |
MANPAGER             | nvim +Man!     | cat            | cat            | nvim +Man!  | cat            | cat
NO_COLOR             |                |                |                |             | 1              | 1
PAGER                | less -R        | cat            | cat            | less -R     | cat            | cat
PATH                 | /bin           | /bin           | /bin           | /bin        | /bin           | /bin
PATHEXT              | .EXE           | .EXE           | .EXE           | .EXE        | .EXE           | .EXE
SYSTEMD_PAGER        |                | cat            | cat            |             | cat            | cat
TERM                 | xterm-256color | xterm-256color | xterm-256color | xterm-kitty | dumb           | dumb
TERM_PROGRAM         | vscode         |                |                | kitty       |                |
TERM_PROGRAM_VERSION | 1.106.0        |                |                | 0.40        |                |
`;

const WINDOWS_VARIABLES = `
on                   | terminal       | terminal       | terminal       | pipes       | pipes          | pipes
started by           | person         | agent, chat    | agent, MCP     | person      | agent, chat    | agent, MCP
API_TOKEN            | secret         | secret         | secret         | secret      | secret         | secret
COLORTERM            | truecolor      | truecolor      | truecolor      |             |                |
DEBIAN_FRONTEND      |                |                |                |             | noninteractive | noninteractive
FORCE_COLOR          | 1              | 1              | 1              | 1           |                |
GH_PAGER             |                | cat            | cat            |             | cat            | cat
GIT_EDITOR           |                |                |                |             | true           | true
GIT_PAGER            |                | cat            | cat            |             | cat            | cat
GIT_TERMINAL_PROMPT  |                |                |                |             | 0              | 0
MANPAGER             | nvim +Man!     | cat            | cat            | nvim +Man!  | cat            | cat
NO_COLOR             |                |                |                |             | 1              | 1
PAGER                | less -R        | cat            | cat            | less -R     | cat            | cat
PATH                 | /bin           | /bin           | /bin           | /bin        | /bin           | /bin
PATHEXT              | .EXE           | .EXE           | .EXE           | .EXE        | .EXE           | .EXE
SYSTEMD_PAGER        |                | cat            | cat            |             | cat            | cat
TERM                 | xterm-256color | xterm-256color | xterm-256color | xterm-kitty | dumb           | dumb
TERM_PROGRAM         | vscode         |                |                | kitty       |                |
TERM_PROGRAM_VERSION | 1.106.0        |                |                | 0.40        |                |
`;

const host = (platform: Platform): HostInfo => ({ platform: PLATFORMS[platform], homeDir: '/home/me' });

/** Every starter of commands, with the facts about its machine. */
const WHO: readonly {
  readonly name: string;
  readonly origin: LaunchOrigin;
  readonly place: Partial<LaunchPlace>;
}[] = [
  {
    name: 'person',
    origin: { kind: 'user' },
    place: { hostEnv: HOST_ENV, vscodeVersion: '1.106.0', size: { columns: 200, rows: 50 } },
  },
  {
    name: 'agent, chat',
    origin: { kind: 'agent', name: 'Chat' },
    place: { hostEnv: HOST_ENV, vscodeVersion: '1.106.0', size: { columns: 200, rows: 50 } },
  },
  {
    name: 'agent, MCP',
    origin: { kind: 'agent', name: 'Claude' },
    place: { hostEnv: HOST_ENV },
  },
];

function launch(
  who: (typeof WHO)[number],
  platform: Platform,
  tty: boolean,
  shell: ShellChoice = { shell: 'bash', arguments: [] },
) {
  return launchRequest(
    {
      command: { kind: 'commandLine', commandLine: 'LINE' },
      cwd: '/',
      tty,
      pipeStdin: false,
      env: {},
      origin: who.origin,
    },
    { host: host(platform), shell, ...who.place },
  );
}

/** Rows of cells with their columns in line. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

describe('the start of a command', () => {
  for (const platform of Object.keys(PLATFORMS) as Platform[]) {
    it(`passes the command to each shell as its reader needs it, on ${platform}`, () => {
      const shells = ['/bin/bash', 'zsh', 'sh', '/usr/bin/pwsh', 'powershell.exe', 'CMD.EXE'];
      const rows = shells.flatMap((shell) =>
        WHO.map((who) => {
          const [onTerminal = '', onPipes = ''] = [true, false].map((tty) => {
            const [program, ...rest] = launch(who, platform, tty, { shell, arguments: [] }).argv;
            assert.equal(program, shell);
            return rest.join(' ');
          });
          return [shell, who.name, onTerminal, onPipes];
        }),
      );
      assert.equal(table([['shell', 'started by', 'terminal', 'pipes'], ...rows]), ARGUMENTS.trim());
    });
  }

  it('is put to a shell by the arguments of the settings, whoever starts it', () => {
    const shell = { shell: 'pwsh', arguments: ['-Login', '-Command'] };
    for (const who of WHO) {
      assert.deepEqual(launch(who, 'linux', true, shell).argv, ['pwsh', '-Login', '-Command', 'LINE']);
    }
  });

  for (const [platforms, expected] of [
    [['linux', 'macos'], POSIX_VARIABLES],
    [['windows'], WINDOWS_VARIABLES],
  ] as const) {
    for (const platform of platforms) {
      it(`has the variables that suit the one who reads its output, on ${platform}`, () => {
        const starts = [true, false].flatMap((tty) =>
          WHO.map((who) => {
            const { env, envPolicy } = launch(who, platform, tty);
            const windows = platform === 'windows';
            return {
              on: tty ? 'terminal' : 'pipes',
              name: who.name,
              variables: childVariables({ host: HOST_ENV, policy: envPolicy, overlay: env, windows }),
            };
          }),
        );
        const names = [...new Set(starts.flatMap(({ variables }) => Object.keys(variables)))].sort();
        const rows = names.map((name) => [name, ...starts.map(({ variables }) => variables[name] ?? '')]);
        const head = [
          ['on', ...starts.map(({ on }) => on)],
          ['started by', ...starts.map(({ name }) => name)],
        ];
        assert.equal(table([...head, ...rows]), expected.trim());
      });
    }
  }

  it('has a size only on a terminal of a person', () => {
    const sizes = WHO.map((who) => [true, false].map((tty) => launch(who, 'linux', tty).size?.columns));
    assert.deepEqual(sizes, [
      [200, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('has the size that was asked for, whoever asks', () => {
    const size = { columns: 120, rows: 40 };
    for (const { origin, place } of WHO) {
      const start = {
        command: { kind: 'argv', argv: ['top'] },
        cwd: '/',
        pipeStdin: false,
        env: {},
      } as const;
      const request = (tty: boolean) =>
        launchRequest({ ...start, tty, size, origin }, { host: {}, ...place });
      assert.deepEqual([request(true).size, request(false).size], [size, undefined]);
    }
  });

  it('has a shell that reads the profile, if that is asked for', () => {
    const argvOf = (shell: string, options: readonly string[] = [], tty = true) =>
      launchRequest(
        {
          command: { kind: 'commandLine', commandLine: 'LINE' },
          cwd: '/',
          tty,
          pipeStdin: false,
          env: {},
          login: true,
          origin: { kind: 'agent', name: 'Chat' },
        },
        { host: {}, shell: { shell, arguments: options } },
      ).argv.join(' ');
    assert.equal(argvOf('/bin/bash'), '/bin/bash -l -c LINE');
    assert.equal(argvOf('fish'), 'fish -l -c LINE');
    // The options of the settings stay, and one that makes a login shell is not repeated.
    assert.equal(argvOf('bash', ['-e', '-c']), 'bash -l -e -c LINE');
    assert.equal(argvOf('bash', ['-lc']), 'bash -lc LINE');
    assert.equal(argvOf('bash', ['--login', '-c']), 'bash --login -c LINE');
    assert.equal(argvOf('pwsh'), 'pwsh -NoLogo -Command LINE');
    assert.equal(argvOf('powershell.exe', [], false), 'powershell.exe -NoLogo -NonInteractive -Command LINE');
    assert.equal(argvOf('cmd.exe'), 'cmd.exe /d /s /c LINE');
    assert.deepEqual(
      [readsProfile('CMD.EXE'), readsProfile('pwsh'), readsProfile('/bin/sh')],
      [false, true, true],
    );
  });

  it('gives both outputs of an agent one pipe, unless they are to be separate', () => {
    const shared = WHO.map(({ origin }) =>
      [undefined, true, false].map((separateStderr) => {
        const command = { kind: 'argv', argv: ['make'] } as const;
        const more = { cwd: '/', tty: false, pipeStdin: false, env: {}, origin };
        return startParams('id', launchRequest({ command, separateStderr, ...more }, { host: {} }))
          .stderrToStdout;
      }),
    );
    assert.deepEqual(shared, [
      [false, false, true],
      [true, false, true],
      [true, false, true],
    ]);
    assert.ok(WHO.every((who) => launch(who, 'linux', true).stderrToStdout === false));
  });

  it('needs no shell for an argument list, which people see quoted', () => {
    const request = launchRequest(
      {
        command: { kind: 'argv', argv: ['echo', "it's", '', 'a=b'] },
        cwd: '/',
        tty: true,
        pipeStdin: false,
        env: {},
        title: 'Echo',
        origin: { kind: 'user' },
      },
      { host: host('linux') },
    );
    const { argv, metadata } = startParams('id', request);
    assert.deepEqual(argv, ['echo', "it's", '', 'a=b']);
    assert.deepEqual(metadata, {
      commandLine: `echo 'it'\\''s' '' a=b`,
      origin: { kind: 'user' },
      title: 'Echo',
    });
  });

  it('takes the shell that a machine names, or the one that every such machine has', () => {
    const shellOf = (there: HostInfo) =>
      launchRequest(
        {
          command: { kind: 'commandLine', commandLine: 'LINE' },
          cwd: '/',
          tty: false,
          pipeStdin: false,
          env: {},
          origin: { kind: 'user' },
        },
        { host: there },
      ).argv;
    assert.deepEqual(shellOf({ shell: { name: 'fish', path: '/usr/bin/fish' } }), [
      '/usr/bin/fish',
      '-c',
      'LINE',
    ]);
    assert.deepEqual(shellOf({ platform: 'linux' }), ['/bin/sh', '-c', 'LINE']);
    assert.deepEqual(shellOf({ cwd: 'C:\\' }), ['cmd.exe', '/d', '/s', '/c', 'LINE']);
  });

  it('uses a login shell only on macOS, and only for an interactive shell', () => {
    assert.deepEqual(interactiveShell('/bin/bash', 'linux'), ['/bin/bash']);
    assert.deepEqual(interactiveShell('/bin/zsh', 'darwin'), ['/bin/zsh', '-l']);
    assert.deepEqual(interactiveShell('/bin/sh', 'darwin'), ['/bin/sh']);
  });
});

describe('A command in a sandbox', () => {
  const sandboxOf = (some: Partial<Launch>, place: Partial<LaunchPlace> = {}) =>
    startParams(
      'p',
      launchRequest(
        {
          command: { kind: 'argv', argv: ['make'] },
          cwd: '/srv/web',
          tty: false,
          pipeStdin: false,
          env: {},
          origin: { kind: 'user' },
          ...some,
        },
        { host: { platform: 'linux', homeDir: '/home/me' }, ...place },
      ),
    ).sandbox;
  const writing = (...paths: readonly string[]) => paths.map((path) => ({ path, access: 'write' as const }));

  it('writes to its folder and to the temporary ones, without network', () => {
    assert.deepEqual(sandboxOf({ sandbox: {} }), { places: writing('/srv/web', '/tmp'), network: false });
    const hostEnv = { TMPDIR: '/var/tmp' };
    const places = (some: Partial<Launch>, place?: Partial<LaunchPlace>) =>
      sandboxOf({ sandbox: {}, ...some }, place)?.places;
    assert.deepEqual(places({}, { hostEnv }), writing('/srv/web', '/tmp', '/var/tmp'));
    assert.deepEqual(places({ env: { TMPDIR: '/own' } }, { hostEnv }), writing('/srv/web', '/tmp', '/own'));
    assert.deepEqual(places({ env: { TMPDIR: 'sub' } }), writing('/srv/web', '/tmp'));
  });

  it('writes to further folders and has a network if that is asked for', () => {
    assert.deepEqual(sandboxOf({ sandbox: { write: ['../api', '~/x', '/tmp'], network: true } }), {
      places: writing('/srv/web', '/srv/api', '/home/me/x', '/tmp'),
      network: true,
    });
    assert.throws(
      () => sandboxOf({ sandbox: { write: ['~/x'] } }, { host: {} }),
      /"~\/x" is not an absolute path/,
    );
  });

  it('has the sandbox of an earlier run as it was, and none without being asked', () => {
    const before: Sandbox = { places: [{ path: '/srv', access: 'read' }], network: false };
    assert.deepEqual(sandboxOf({ sandbox: before }, { hostEnv: { TMPDIR: '/var/tmp' } }), before);
    assert.equal(sandboxOf({}), undefined);
  });
});
