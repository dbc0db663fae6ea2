import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { shellStartThere } from '../../src/vscode/shellStart.js';
import { shellForPeople } from '../../src/vscode/terminals/shellIntegration.js';
import { removeFolder } from '../rig/lifetime.js';
import { Fixture, untilOutput } from './fixture.js';

const SETTING = 'terminal.integrated.shellIntegration.enabled';

describe('a shell as a session has the integration of VS Code', () => {
  let fixture: Fixture;
  /** The folder of the user's own start-up files. */
  let own: string;

  const enable = (value: boolean | undefined) =>
    vscode.workspace.getConfiguration().update(SETTING, value, vscode.ConfigurationTarget.Global);

  beforeEach(() => {
    fixture = new Fixture();
    own = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-shell-')));
  });

  afterEach(async () => {
    await fixture.dispose();
    removeFolder(own);
  });

  it('bash, where that is not turned off', async () => {
    const place = { storage: fixture.storage, env: {} };
    const shell = shellForPeople('/bin/bash', place);
    assert.equal(shell.name, 'bash');
    assert.equal(shell.argv[1], '--init-file');
    assert.ok(shell.argv[2]?.startsWith(fixture.storage), 'an update of VS Code leaves it alone');
    assert.ok(shell.env['VSCODE_NONCE']);
    const id = await fixture.commands['execSessions.newSession']({
      ...shell,
      argv: [...shell.argv],
      tty: true,
    });
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    const nonce = shell.env['VSCODE_NONCE'];
    await fixture.commands['execSessions.sendText'](id, undefined, 'true');
    await untilOutput(session, `\u001b]633;E;true;${nonce}`);
    await enable(false);
    try {
      assert.deepEqual(shellForPeople('/bin/bash', place).env, {});
    } finally {
      await enable(undefined);
    }
  });

  it('zsh, which reads the start-up files of the user all the same', async () => {
    fs.writeFileSync(path.join(own, '.zshenv'), 'FROM_ENV=first\n');
    fs.writeFileSync(path.join(own, '.zshrc'), 'FROM_RC=second; PS1="ready> "\n');
    const shell = shellForPeople('/bin/zsh', { storage: fixture.storage, env: { ZDOTDIR: own } });
    const id = await fixture.commands['execSessions.newSession']({
      ...shell,
      argv: [...shell.argv],
      cwd: own,
      tty: true,
    });
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    await untilOutput(session, '\u001b]633;A\u0007ready> ');
    await untilOutput(session, `\u001b]633;P;Cwd=${own}\u0007`);
    const line = 'echo "$FROM_ENV $FROM_RC ${ZDOTDIR:t}" "nonce=$VSCODE_NONCE."';
    await fixture.commands['execSessions.sendText'](id, undefined, line);
    await untilOutput(session, `first second ${path.basename(own)} nonce=.`);
    await fixture.commands['execSessions.sendText'](id, undefined, 'false');
    await untilOutput(session, `\u001b]633;E;false;${shell.env['VSCODE_NONCE']}\u0007`);
    await untilOutput(session, '\u001b]633;D;1\u0007');
  });

  it('fish, which reads the start-up files of the user all the same', async () => {
    fs.mkdirSync(path.join(own, 'fish'));
    fs.writeFileSync(
      path.join(own, 'fish/config.fish'),
      'set FROM_CONFIG first\nfunction fish_prompt; echo "ready> "; end\n',
    );
    const shell = shellForPeople('/usr/bin/fish', { storage: fixture.storage, env: {} });
    const copy = path.join(fixture.storage, 'shells/shellIntegration.fish');
    assert.equal(shell.argv.at(-1), `source "${copy}"`, 'an update of VS Code leaves it alone');
    const id = await fixture.commands['execSessions.newSession']({
      ...shell,
      argv: [...shell.argv],
      env: { ...shell.env, XDG_CONFIG_HOME: own },
      cwd: own,
      tty: true,
    });
    const session = fixture.list.get(id ?? '');
    assert.ok(session);
    await untilOutput(session, 'ready> ');
    await untilOutput(session, `\u001b]633;P;Cwd=${own}\u0007`);
    const line = 'echo "$FROM_CONFIG" "nonce=$VSCODE_NONCE."';
    await fixture.commands['execSessions.sendText'](id, undefined, line);
    await untilOutput(session, 'first nonce=.');
    await fixture.commands['execSessions.sendText'](id, undefined, 'false');
    // Without the nonce: the script of this VS Code has it in a variable that ends with the block around it.
    await untilOutput(session, '\u001b]633;E;false');
    await untilOutput(session, '\u001b]633;D;1\u0007');
  });

  it('PowerShell, also that of Windows itself', () => {
    const place = { storage: fixture.storage, env: {} };
    for (const shell of ['pwsh', 'powershell.exe', 'PowerShell.EXE']) {
      const { argv, env } = shellForPeople(shell, place);
      assert.deepEqual(argv.slice(0, 3), [shell, '-noexit', '-command']);
      assert.match(argv[3] ?? '', /^try \{ \. ".*shellIntegration\.ps1" \} catch \{\}$/);
      assert.equal(env['VSCODE_INJECTION'], '1');
    }
  });
});

describe('a shell in an environment', () => {
  it('has a short name', () => {
    for (const [shell, name] of [
      ['/usr/bin/fish', 'fish'],
      ['C:\\Windows\\System32\\cmd.exe', 'cmd'],
    ] as const) {
      const host = { platform: 'linux', shell: { name, path: shell } } as const;
      const { command, shownAs } = shellStartThere({ id: 'build', backend: { host } });
      assert.deepEqual([command, shownAs], [{ kind: 'argv', argv: [shell] }, name]);
    }
  });
});
