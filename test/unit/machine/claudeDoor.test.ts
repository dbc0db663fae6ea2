import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { claudeDoorState, closeClaudeDoor, openClaudeDoor } from '../../../src/machine/index.js';
import { describeOnPosix } from '../../support/onLinux.js';

/** Settings as people and Claude Code write them. */
const SETTINGS = {
  'nothing': '{}',
  'nothing, on a line': '{}\n',
  'nothing, with a space': '{ }',
  'one setting': '{\n  "model": "opus"\n}\n',
  'settings by hand': '{"permissions": {"allow": ["Bash(ls)", "Edit"]},\r\n\t"env" : {"A": "1", "B": "$&"}}',
  'no variable': '{\n  "env": {},\n  "model": "opus"\n}\n',
  'no variable, by hand': '{ "env": { } }',
  'variables': '{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n',
  'variables of another': '{\n  "mine": { "env": { "A": "1" } },\n  "env": {\n    "B": "2"\n  }\n}\n',
  'only variables of another': '{\n  "mine": { "env": { "A": "1" } }\n}\n',
};

describeOnPosix('The settings of Claude Code', () => {
  let folder: string;
  let env: Readonly<Record<string, string>>;
  let file: string;
  let script: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-door-'));
    env = { HOME: folder };
    file = path.join(folder, '.claude/settings.json');
    script = path.join(folder, '.local/share/exec-sessions/claude-door');
    fs.mkdirSync(path.dirname(file));
  });

  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const text = () => fs.readFileSync(file, 'utf8');
  const state = () => claudeDoorState(env).state;
  const parsed = () => JSON.parse(text()) as { env: Record<string, string> };

  for (const [what, before] of Object.entries(SETTINGS)) {
    it(`name the script while the door is open, and are as before afterwards: ${what}`, () => {
      fs.writeFileSync(file, before);
      openClaudeDoor(env);
      assert.equal(state(), 'open');
      const { env: variables = {}, ...others } = JSON.parse(before) as { env?: object };
      const wanted = { ...others, env: { ...variables, CLAUDE_CODE_SHELL_PREFIX: script } };
      assert.deepEqual(parsed(), wanted);
      const opened = text();
      openClaudeDoor(env);
      assert.equal(text(), opened);
      closeClaudeDoor(env);
      assert.equal(text(), before);
      assert.equal(state(), 'closed');
      closeClaudeDoor(env);
      assert.equal(text(), before);
    });

    it(`mean the same as before if Claude Code has written them anew: ${what}`, () => {
      fs.writeFileSync(file, before);
      openClaudeDoor(env);
      fs.writeFileSync(file, JSON.stringify(parsed()));
      closeClaudeDoor(env);
      const { env: variables = {}, ...others } = JSON.parse(before) as { env?: object };
      const { env: left = {}, ...rest } = JSON.parse(text()) as { env?: object };
      assert.deepEqual([left, rest], [variables, others]);
    });
  }

  it('are removed if there were none', () => {
    fs.rmdirSync(path.dirname(file));
    openClaudeDoor(env);
    assert.equal(state(), 'open');
    closeClaudeDoor(env);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), []);
  });

  it('lie where CLAUDE_CONFIG_DIR says, and the script where XDG_DATA_HOME says', () => {
    const [config, data] = [path.join(folder, 'other config'), path.join(folder, 'other data')];
    env = { ...env, CLAUDE_CONFIG_DIR: config, XDG_DATA_HOME: data };
    openClaudeDoor(env);
    const { env: variables } = JSON.parse(fs.readFileSync(path.join(config, 'settings.json'), 'utf8')) as {
      env: Record<string, string>;
    };
    const prefix = path.join(data, 'exec-sessions/claude-door');
    assert.deepEqual(variables, { CLAUDE_CODE_SHELL_PREFIX: prefix });
    assert.equal(fs.statSync(prefix).mode & 0o777, 0o755);
  });

  it('keep their mode, and a link to them', () => {
    const linked = path.join(folder, 'dotfiles.json');
    fs.writeFileSync(linked, '{}', { mode: 0o640 });
    fs.symlinkSync(linked, file);
    openClaudeDoor(env);
    assert.equal(fs.readlinkSync(file), linked);
    closeClaudeDoor(env);
    assert.equal(fs.readFileSync(linked, 'utf8'), '{}');
    assert.equal(fs.statSync(linked).mode & 0o777, 0o640);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ['settings.json']);
  });

  const NO_SETTINGS = /settings\.json is no valid JSON, or has no settings in it$/;
  const REFUSED: readonly (readonly [before: string, why: RegExp])[] = [
    ['{ // mine\n}', NO_SETTINGS],
    ['', NO_SETTINGS],
    ['[]', NO_SETTINGS],
    ['{"env": "A=1"}', NO_SETTINGS],
  ];

  for (const [before, why] of REFUSED) {
    it(`stay as they are if they are ${JSON.stringify(before)}`, () => {
      fs.writeFileSync(file, before);
      assert.throws(() => openClaudeDoor(env), why);
      assert.throws(() => closeClaudeDoor(env), why);
      assert.equal(text(), before);
      assert.ok(!fs.existsSync(script));
    });
  }

  it('keep another program that they name', () => {
    fs.writeFileSync(file, '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/mine"}}');
    const before = text();
    openClaudeDoor(env);
    closeClaudeDoor(env);
    assert.deepEqual([text(), state()], [before, 'changed']);
  });

  it('are not waited for if they are a pipe', () => {
    execFileSync('mkfifo', [file]);
    assert.throws(state, NO_SETTINGS);
  });

  it('tell of a door that was changed by hand, and one whose script is missing', () => {
    openClaudeDoor(env);
    fs.rmSync(script);
    assert.equal(state(), 'broken');
    openClaudeDoor(env);
    fs.chmodSync(script, 0o644);
    assert.equal(state(), 'broken');
    openClaudeDoor(env);
    assert.equal(state(), 'open');
    env = { ...env, XDG_RUNTIME_DIR: folder };
    assert.equal(state(), 'open');
    fs.writeFileSync(file, text().replace(script, '/mine'));
    assert.equal(state(), 'changed');
  });
});
