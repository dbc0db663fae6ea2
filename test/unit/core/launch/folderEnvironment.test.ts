import assert from 'node:assert/strict';

import {
  type FolderEnvironment,
  folderTexts,
  launchRequest,
  type LaunchRequest,
  metadataIn,
  startParams,
  withFolder,
} from '../../../../src/core/index.js';

const FOLDER: FolderEnvironment = {
  changes: {
    PATH: '/ws/.venv/bin:/bin:/programs',
    FOO: 'folder',
    PAGER: 'less',
    TMPDIR: '/ws/tmp',
    OLD: null,
  },
  with: ['.envrc', '.venv'],
  without: [],
};

function started(folder?: FolderEnvironment, env: Readonly<Record<string, string>> = {}): LaunchRequest {
  return launchRequest(
    {
      command: { kind: 'commandLine', commandLine: 'make' },
      cwd: '/ws',
      tty: false,
      pipeStdin: false,
      env,
      sandbox: true,
      origin: { kind: 'agent', name: 'a' },
    },
    {
      host: { platform: 'linux', homeDir: '/home/me' },
      hostEnv: { PATH: '/bin', OLD: 'host' },
      programs: '/programs',
      folder,
      settingsEnv: { SET: 'setting' },
    },
  );
}

describe('a start with the environment of its folder', () => {
  it('has its variables, but those of the call, of the settings and for agents win', () => {
    const { env, envPolicy, folder } = started(FOLDER, { FOO: 'call' });
    assert.deepEqual(
      [env['PATH'], env['FOO'], env['PAGER'], env['SET'], env['TMPDIR']],
      [FOLDER.changes['PATH'], 'call', 'cat', 'setting', '/ws/tmp'],
    );
    assert.ok(envPolicy?.exclude.includes('OLD'));
    assert.deepEqual(folder, { with: FOLDER.with, without: [], names: ['PATH', 'PAGER', 'TMPDIR', 'OLD'] });
  });

  it('has the sandbox that it has without it', () => {
    assert.deepEqual(started(FOLDER).sandbox, started().sandbox);
  });

  it('tells others the words and the names, but no values', () => {
    const { metadata = {} } = startParams('1', started(FOLDER));
    assert.deepEqual(metadataIn(metadata, 'folderEnvironment'), started(FOLDER).folder);
    assert.doesNotMatch(JSON.stringify(metadata), /less|\/ws\/tmp/);
    assert.equal(startParams('1', started()).metadata?.['folderEnvironment'], undefined);
  });

  it('reads what others have written', () => {
    const read = (value: unknown) => metadataIn({ folderEnvironment: value }, 'folderEnvironment');
    assert.deepEqual(read({ names: ['A', 7], with: 'x', without: [null, 'b'] }), {
      names: ['A'],
      with: [],
      without: ['b'],
    });
    for (const value of [undefined, null, 7, [], {}, { with: ['.venv'] }]) {
      assert.equal(read(value), undefined);
    }
  });

  it('is taken anew when the command runs again, and keeps the variables of the command', () => {
    const first = started(FOLDER, { FOO: 'call' });
    const now = {
      changes: { PATH: '/now:/bin', FOO: 'now', NEW: '1' },
      with: ['.envrc'],
      without: ['.venv'],
    };
    const again = withFolder(first, first.folder?.names ?? [], now);
    const names = again.folder?.names ?? [];
    assert.deepEqual(
      [again.env['PATH'], again.env['FOO'], again.env['NEW'], again.env['TMPDIR'], again.env['SET']],
      ['/now:/bin', 'call', '1', undefined, 'setting'],
    );
    assert.deepEqual(again.folder, { with: ['.envrc'], without: ['.venv'], names: ['PATH', 'NEW'] });
    const without = withFolder(again, names, undefined);
    assert.deepEqual(
      [without.env['NEW'], without.env['FOO'], without.folder],
      [undefined, 'call', undefined],
    );
  });

  it('is said in few words', () => {
    const texts = (has: readonly string[], without: readonly string[]) =>
      folderTexts({ with: has, without, names: [] });
    assert.deepEqual(texts(['.venv', 'node 22 (.nvmrc)'], []), ['with .venv, node 22 (.nvmrc)']);
    assert.deepEqual(texts(['.venv'], ['login', '.envrc']), [
      'with .venv',
      'without the PATH of the login shell, .envrc',
    ]);
    assert.deepEqual([texts([], []), folderTexts(undefined)], [[], []]);
    assert.deepEqual(texts(['a\u202eb\n'], []), ['with a b']);
    assert.ok(texts(Array.from({ length: 99_999 }, String), []).join().length < 250);
  });
});
