import assert from 'node:assert/strict';
import { childVariables } from '../../../../src/core/index.js';
import { sessionVariables, type VariableChanges } from '../../../../src/core/launch/variables.js';

function variablesOf(
  hostEnv: Readonly<Record<string, string>>,
  options: {
    tty?: boolean;
    windows?: boolean;
    forAgent?: boolean;
    settingsEnv?: VariableChanges;
    env?: VariableChanges;
    programs?: string;
  } = {},
): Readonly<Record<string, string>> {
  const { tty = false, windows = false, forAgent = false, settingsEnv, env: own, programs } = options;
  const { env, envPolicy } = sessionVariables({
    hostEnv,
    programs,
    windows,
    tty,
    forAgent,
    vscodeVersion: '1.2.3',
    settingsEnv,
    env: own,
  });
  return childVariables({ host: hostEnv, policy: envPolicy, overlay: env, windows });
}

describe('the variables of a session', () => {
  it('is that of the user, keys and tokens as well', () => {
    const host = { PATH: '/bin', GITHUB_TOKEN: 't', MY_KEY: 'k', LANG: 'de_DE.UTF-8' };
    assert.deepEqual(variablesOf(host), host);
  });

  it('has nothing in it that VS Code set for itself', () => {
    const host = {
      PATH: '/bin',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: '/tmp/x',
      VSCODE_PID: '1',
      SNAP: '/snap/code',
      GDK_PIXBUF_MODULE_FILE: '/snap/x',
      EXEC_SESSIONS_DEMO: '1',
      NODE_OPTIONS: '--require /x/ms-vscode.js-debug/bootloader.js',
    };
    assert.deepEqual(variablesOf(host), { PATH: '/bin' });
  });

  it("keeps the user's own NODE_OPTIONS, also those that VS Code has put aside", () => {
    assert.equal(
      variablesOf({ NODE_OPTIONS: '--max-old-space-size=99' })['NODE_OPTIONS'],
      '--max-old-space-size=99',
    );
    assert.equal(variablesOf({ VSCODE_NODE_OPTIONS: '--inspect' })['NODE_OPTIONS'], '--inspect');
  });

  it('has a folder of ours after those of the PATH, once', () => {
    const path = (
      host: Readonly<Record<string, string>>,
      options: { windows?: boolean; env?: VariableChanges },
    ) => variablesOf(host, { ...options, programs: '/ours' });
    assert.deepEqual(path({ PATH: '/bin' }, {}), { PATH: '/bin:/ours' });
    assert.deepEqual(path({ PATH: '/ours:/bin' }, {}), { PATH: '/ours:/bin' });
    assert.equal(path({ Path: 'C:\\x' }, { windows: true })['Path'], 'C:\\x;/ours');
    assert.deepEqual(path({ PATH: '/bin' }, { env: { PATH: '/sbin' } }), { PATH: '/sbin' });
    assert.deepEqual(path({}, {}), {});
  });

  it('tells programs in a terminal which one it is', () => {
    assert.deepEqual(variablesOf({ TERM: 'dumb' }, { tty: true }), {
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'vscode',
      TERM_PROGRAM_VERSION: '1.2.3',
      LANG: 'C.UTF-8',
    });
    assert.equal(variablesOf({ LC_ALL: 'C' }, { tty: true })['LANG'], undefined);
  });

  it('has nothing of this machine in it on another one', () => {
    const { env, envPolicy } = sessionVariables({
      hostEnv: undefined,
      windows: false,
      tty: true,
      forAgent: false,
      vscodeVersion: '1.2.3',
      env: { A: 'b', C: null },
    });
    assert.deepEqual(Object.keys(env), ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'A']);
    assert.equal(envPolicy.inherit, 'all');
    assert.ok(envPolicy.exclude.includes('C'));
  });

  it('can be changed by the settings and then for one start, and null takes away', () => {
    const env = variablesOf(
      { PATH: '/bin', HOME: '/h' },
      {
        tty: true,
        settingsEnv: { A: '1', B: '1', PATH: null, C: null },
        env: { B: '2', TERM: 'vt100', C: '3' },
      },
    );
    assert.equal(env['A'], '1');
    assert.equal(env['B'], '2');
    assert.equal(env['C'], '3');
    assert.equal(env['TERM'], 'vt100');
    assert.equal(env['PATH'], undefined);
    assert.equal(env['HOME'], '/h');
  });

  it('have the pager of the settings for people, and that of one start for agents too', () => {
    const settingsEnv = { PAGER: 'less', A: '1' };
    assert.equal(variablesOf({}, { tty: true, settingsEnv })['PAGER'], 'less');
    const agents = variablesOf({}, { tty: true, forAgent: true, settingsEnv });
    assert.deepEqual([agents['PAGER'], agents['A']], ['cat', '1']);
    assert.equal(variablesOf({}, { tty: true, forAgent: true, env: { PAGER: 'more' } })['PAGER'], 'more');
  });

  it('takes away the name that was meant, and no other spelling of it', () => {
    const host = { path: 'small', PATH: '/bin', VSCODE_PID: '1' };
    const env = { path: null, vscode_pid: null };
    assert.deepEqual(variablesOf(host, { env }), { PATH: '/bin' });
    assert.deepEqual(variablesOf({ Path: 'C:\\', PATHEXT: '.EXE' }, { windows: true, env }), {
      PATHEXT: '.EXE',
    });
    assert.deepEqual(variablesOf(host, { env: { path: null, PATH: null } }), {});
    assert.deepEqual(variablesOf(host, { env: { path: null, PATH: '/x' } }), { PATH: '/x' });
  });

  it('takes any name', () => {
    const env = JSON.parse('{"__proto__": "x"}') as VariableChanges;
    assert.deepEqual(Object.entries(variablesOf({}, { env })), [['__proto__', 'x']]);
  });
});
