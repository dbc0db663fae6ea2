import assert from 'node:assert/strict';
import { childEnvironment } from '../../../../src/core/index.js';
import { sessionEnvironment, type EnvironmentChanges } from '../../../../src/core/launch/variables.js';

function environmentOf(
  host: Readonly<Record<string, string>>,
  options: { tty?: boolean; windows?: boolean; changes?: readonly EnvironmentChanges[] } = {},
): Readonly<Record<string, string>> {
  const { tty = false, windows = false, changes = [] } = options;
  const { env, envPolicy } = sessionEnvironment({ host, tty, windows, version: '1.2.3', changes });
  return childEnvironment({ host, policy: envPolicy, overlay: env, windows });
}

describe('the environment of a session', () => {
  it('is that of the user, keys and tokens as well', () => {
    const host = { PATH: '/bin', GITHUB_TOKEN: 't', MY_KEY: 'k', LANG: 'de_DE.UTF-8' };
    assert.deepEqual(environmentOf(host), host);
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
    assert.deepEqual(environmentOf(host), { PATH: '/bin' });
  });

  it("keeps the user's own NODE_OPTIONS, also those that VS Code has put aside", () => {
    assert.equal(
      environmentOf({ NODE_OPTIONS: '--max-old-space-size=99' })['NODE_OPTIONS'],
      '--max-old-space-size=99',
    );
    assert.equal(environmentOf({ VSCODE_NODE_OPTIONS: '--inspect' })['NODE_OPTIONS'], '--inspect');
  });

  it('tells programs in a terminal which one it is', () => {
    assert.deepEqual(environmentOf({ TERM: 'dumb' }, { tty: true }), {
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'vscode',
      TERM_PROGRAM_VERSION: '1.2.3',
      LANG: 'C.UTF-8',
    });
    assert.equal(environmentOf({ LC_ALL: 'C' }, { tty: true })['LANG'], undefined);
  });

  it('has nothing of this machine in it on another one', () => {
    const { env, envPolicy } = sessionEnvironment({
      host: undefined,
      tty: true,
      windows: false,
      version: '1.2.3',
      changes: [{ A: 'b', C: null }],
    });
    assert.deepEqual(Object.keys(env), ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'A']);
    assert.equal(envPolicy.inherit, 'all');
    assert.ok(envPolicy.exclude.includes('C'));
  });

  it('can be changed, the last change winning, and null takes away', () => {
    const changes = [{ A: '1', B: '1', PATH: null }, { B: '2', TERM: 'vt100', C: null }, { C: '3' }];
    const env = environmentOf({ PATH: '/bin', HOME: '/h' }, { tty: true, changes });
    assert.equal(env['A'], '1');
    assert.equal(env['B'], '2');
    assert.equal(env['C'], '3');
    assert.equal(env['TERM'], 'vt100');
    assert.equal(env['PATH'], undefined);
    assert.equal(env['HOME'], '/h');
  });

  it('takes away the name that was meant, and no other spelling of it', () => {
    const host = { path: 'small', PATH: '/bin', VSCODE_PID: '1' };
    const changes = [{ path: null, vscode_pid: null }];
    assert.deepEqual(environmentOf(host, { changes }), { PATH: '/bin' });
    assert.deepEqual(environmentOf({ Path: 'C:\\', PATHEXT: '.EXE' }, { windows: true, changes }), {
      PATHEXT: '.EXE',
    });
    const both = [{ path: null, PATH: null }];
    assert.deepEqual(environmentOf(host, { changes: both }), {});
    assert.deepEqual(environmentOf(host, { changes: [{ path: null, PATH: '/x' }] }), { PATH: '/x' });
  });

  it('takes any name', () => {
    const changes = [JSON.parse('{"__proto__": "x"}') as EnvironmentChanges];
    assert.deepEqual(Object.entries(environmentOf({}, { changes })), [['__proto__', 'x']]);
  });
});
