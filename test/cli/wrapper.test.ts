import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { linkOnPath } from '../../src/vscode/cli/linkOnPath.js';
import { type Wrapper, wrapperFor } from '../../src/vscode/cli/wrapper.js';
import { putPrivateFile } from '../../src/vscode/privateFile.js';
import { root } from '../rig/paths.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { runLine } from './cliFixture.js';

const write = ({ file, text }: Wrapper) => putPrivateFile(file, text);

describe('the wrapper of exec-sessions', () => {
  const machine = useMachine();
  let wrapper: Wrapper;

  beforeEach(() => {
    wrapper = wrapperFor(storageOf('Code'), root);
  });

  const storageOf = (product: string) =>
    path.join(machine.folder, `it's ${product}`, 'globalStorage', 'exec-sessions.exec-sessions');
  const runWrapper = (line: string) =>
    runLine(machine, `PATH="$PATH:${path.dirname(wrapper.file)}"; unset -f exec-sessions; ${line}`);

  it('runs the command line on the Node of the extension host', async () => {
    write(wrapper);
    const { stdout, stderr, code } = await runWrapper(
      `PATH="${path.dirname(wrapper.file)}:/usr/bin:/bin" exec-sessions run -- sh -c 'echo "$*: $NODE_OPTIONS$ELECTRON_RUN_AS_NODE"; exit 3' - 'a  b' c`,
    );
    assert.deepEqual({ stdout, stderr, code }, { stdout: 'a  b c: \n', stderr: '', code: 3 });
    assert.equal(fs.statSync(wrapper.file).mode & 0o777, 0o700);
    assert.equal(fs.statSync(wrapper.folder).mode & 0o777, 0o700);
  });

  it("keeps the user's options of Node for the session, and off its own Node", async () => {
    write(wrapper);
    const { stdout, code } = await runWrapper(
      "NODE_OPTIONS='--require /nowhere.js' exec-sessions run -- sh -c 'echo $NODE_OPTIONS'",
    );
    assert.deepEqual({ stdout, code }, { stdout: '--require /nowhere.js\n', code: 0 });
  });

  it('runs on the node of the PATH when that of VS Code has gone', async () => {
    wrapper = wrapperFor(storageOf('Code'), root, { node: '/nowhere/code' });
    write(wrapper);
    const folder = path.dirname(process.execPath);
    const { stderr, code } = await runWrapper(`PATH="${folder}:$PATH" exec-sessions ls`);
    assert.deepEqual({ stderr, code }, { stderr: 'No session runs.\n', code: 0 });
  });

  it('says what to do when there is no Node at all', async () => {
    wrapper = wrapperFor(storageOf('Code'), root, { node: '/nowhere/code' });
    write(wrapper);
    const { stdout, stderr, code } = await runWrapper(`PATH=/nowhere "${wrapper.file}" ls`);
    assert.deepEqual(
      { stdout, stderr, code },
      {
        stdout: '',
        stderr:
          'exec-sessions: there is no Node. Open a VS Code with Exec Sessions, or install Node 20 or later\n',
        code: 127,
      },
    );
  });

  it('says what to do when the extension has gone', async () => {
    wrapper = wrapperFor(storageOf('Code'), '/nowhere');
    write(wrapper);
    const { stderr, code } = await runWrapper('exec-sessions ls');
    assert.equal(code, 127);
    assert.match(
      stderr,
      /^exec-sessions: \/nowhere\/dist\/exec-sessions.js is gone. Open a VS Code with Exec Sessions, or remove /,
    );
  });

  it('is written again only when it differs', () => {
    write(wrapper);
    const { ino } = fs.statSync(wrapper.file);
    write(wrapper);
    assert.equal(fs.statSync(wrapper.file).ino, ino);
    write(wrapperFor(storageOf('Code'), '/moved'));
    assert.match(fs.readFileSync(wrapper.file, 'utf8'), /^program=\/moved\/dist\/exec-sessions\.js$/m);
    assert.deepEqual(fs.readdirSync(wrapper.folder), ['exec-sessions']);
  });

  it('is linked into the folder of programs at home that is on the PATH', async () => {
    write(wrapper);
    const home = path.join(machine.folder, 'home');
    const linked = await linkOnPath(wrapper, home, { PATH: `/bin:${home}/bin` });
    assert.deepEqual(linked, { outcome: 'linked', link: path.join(home, 'bin/exec-sessions'), onPath: true });
    assert.equal((await runLine(machine, `unset -f exec-sessions; ${linked.link} ls`)).code, 0);
    assert.equal((await linkOnPath(wrapper, home, { PATH: `/bin:${home}/bin` })).outcome, 'was there');
    const other = await linkOnPath(wrapper, home, { PATH: '/bin' });
    assert.deepEqual(other, {
      outcome: 'linked',
      link: path.join(home, '.local/bin/exec-sessions'),
      onPath: false,
    });
  });

  it('takes the place of a link to another wrapper, and of one that has gone', async () => {
    const home = path.join(machine.folder, 'home');
    const insiders = wrapperFor(storageOf('Code - Insiders'), root);
    const link = path.join(home, '.local/bin/exec-sessions');
    for (const there of [true, false]) {
      if (there) {
        write(insiders);
      } else {
        fs.rmSync(insiders.folder, { recursive: true });
      }
      await linkOnPath(insiders, home, {});
      assert.equal(fs.readlinkSync(link), insiders.file);
      assert.equal((await linkOnPath(wrapper, home, {})).outcome, 'linked');
      assert.equal(fs.readlinkSync(link), wrapper.file);
    }
  });

  it('leaves what is not ours as it is', async () => {
    const home = path.join(machine.folder, 'home');
    const link = path.join(home, '.local/bin/exec-sessions');
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.writeFileSync(link, 'mine');
    assert.equal((await linkOnPath(wrapper, home, {})).outcome, 'taken');
    assert.equal(fs.readFileSync(link, 'utf8'), 'mine');
    fs.rmSync(link);
    for (const target of ['/bin/true', '/nowhere/exec-sessions']) {
      fs.symlinkSync(target, link);
      assert.equal((await linkOnPath(wrapper, home, {})).outcome, 'taken');
      assert.equal(fs.readlinkSync(link), target);
      fs.rmSync(link);
    }
  });
});
