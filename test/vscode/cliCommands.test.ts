import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { removeFolder } from '../rig/lifetime.js';
import { Fixture } from './fixture.js';

const COMMAND = 'execSessions.installCommandLine';

/** The command for the command line, with a home of the test. */
describe('the command that installs exec-sessions', () => {
  const { HOME, PATH } = process.env;
  let fixture: Fixture;
  let home: string;
  let folder: string;
  let link: string;

  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'es-home-'));
    folder = path.join(home, '.local/bin');
    link = path.join(folder, 'exec-sessions');
    process.env['HOME'] = home;
    fixture = new Fixture();
  });

  afterEach(async () => {
    Object.assign(process.env, { HOME, PATH });
    await fixture.dispose();
    removeFolder(home);
  });

  it('says where it is linked, and what a shell needs to find it', async () => {
    const line = `export PATH="$PATH:${folder}"`;
    const next = `Your shells do not look there yet: add this line to their profile (~/.profile, ~/.zshrc): ${line}`;
    fixture.user.buttons.push('Copy Line');
    await fixture.commands[COMMAND]();
    assert.ok(fs.statSync(link).isFile(), 'the link leads to the program');
    await fixture.commands[COMMAND]();
    assert.deepEqual(fixture.user.said, [
      { kind: 'info', message: `Linked ${link}. ${next}`, actions: ['Copy Line'] },
      { kind: 'info', message: `${link} was linked already. ${next}`, actions: ['Copy Line'] },
    ]);
    assert.equal(await vscode.env.clipboard.readText(), line);
  });

  it('says no more than that where shells find it', async () => {
    process.env['PATH'] = `${PATH ?? ''}${path.delimiter}${folder}`;
    await fixture.commands[COMMAND]();
    await fixture.commands[COMMAND]();
    assert.deepEqual(fixture.user.said, [
      { kind: 'info', message: `Linked ${link}.`, actions: [] },
      { kind: 'info', message: `${link} was linked already.`, actions: [] },
    ]);
  });

  it('leaves a program of somebody else as it is, and says what to do', async () => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(link, 'mine');
    await assert.rejects(
      fixture.commands[COMMAND](),
      /\.local\/bin\/exec-sessions does not belong to Exec Sessions, so it was not changed\. Remove it and try again, or add .*bin to your PATH\./,
    );
    assert.equal(fs.readFileSync(link, 'utf8'), 'mine');
  });
});
