import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import type { RemoteBackend } from '../../src/remote/index.js';
import { assertRejects } from '../support/assertRejects.js';
import { connect, run, startProgram, startWindows, type Windows } from './setup.js';

describe('Programs on Windows', () => {
  let windows: Windows;
  let backend: RemoteBackend;

  before(async () => {
    windows = await startWindows();
    windows.write('args.js', 'process.stdout.write(JSON.stringify(process.argv.slice(2)))');
    windows.write('bin/shim.cmd', `@"${windows.node}" "${windows.folder}\\args.js" %*\r\n@exit /b 6\r\n`);
    // As in the folder of a Node that a person has installed: the file without an ending is for other shells.
    windows.write('bin/shim', '#!/bin/sh\n');
    windows.write('with space/note.bat', '@echo %~1>"%~2"\r\n@exit /b 5\r\n');
    windows.write('text.exe', 'no program');
    backend = await connect((await windows.startServer()).url);
  });

  after(async () => {
    await backend.shutdown();
    await windows.stop();
  });

  const pathWithBin = () => ({ PATH: `${windows.folder}\\bin;C:\\windows\\system32` });

  for (const tty of [false, true]) {
    describe(tty ? 'on a terminal' : 'on pipes', () => {
      it('are found by a bare name', async () => {
        assert.equal((await run(backend, { argv: ['cmd', '/c', 'exit 3'], tty })).exitCode, 3);
      });

      it('may be batch files, by their name alone, with an ending, by a path', async () => {
        for (const program of ['shim', 'SHIM.CMD', `${windows.folder}\\bin\\shim`, '.\\bin\\shim.cmd']) {
          const start = { argv: [program, 'a'], cwd: windows.folder, env: pathWithBin(), tty };
          assert.equal((await run(backend, start)).exitCode, 6, program);
        }
      });

      it('in a path with spaces get arguments with spaces', async () => {
        const note = `note-${String(tty)}.txt`;
        const argv = [`${windows.folder}\\with space\\note`, 'a b', `${windows.folder}\\${note}`];
        assert.equal((await run(backend, { argv, tty })).exitCode, 5);
        assert.equal(windows.read(note).trim(), 'a b');
      });

      it('keep the quotes of a command line for cmd.exe', async () => {
        const note = `line-${String(tty)}.txt`;
        const argv = ['cmd.exe', '/d', '/s', '/c', `echo "a b">"${windows.folder}\\${note}" & exit 4`];
        assert.equal((await run(backend, { argv, tty })).exitCode, 4);
        assert.equal(windows.read(note).trim(), '"a b"');
      });

      it('are refused if they do not exist or are directories', async () => {
        const missing = 'No such file or directory (os error 2)';
        for (const program of ['nope', 'nope.exe', 'C:\\nope\\x.exe', windows.folder]) {
          const starting = startProgram(backend, { argv: [program], tty });
          await assertRejects(starting, -32603, missing);
        }
        const nowhere = startProgram(backend, { argv: ['cmd'], cwd: 'C:\\nope', tty });
        await assertRejects(nowhere, -32603, 'Not a directory (os error 267)');
      });

      it('are refused with the error number of Windows if they are not programs', async () => {
        const starting = startProgram(backend, { argv: [`${windows.folder}\\text.exe`], tty });
        await assertRejects(starting, -32603, /\(os error 193\)$/);
      });

      it('are never taken from the directory of the start', async () => {
        const starting = startProgram(backend, { argv: ['shim'], cwd: `${windows.folder}\\bin`, tty });
        await assertRejects(starting, -32603, 'No such file or directory (os error 2)');
      });

      it('get no line break if they are batch files', async () => {
        const starting = startProgram(backend, { argv: ['shim', 'a\ncalc'], env: pathWithBin(), tty });
        await assertRejects(starting, -32602, 'cmd.exe cannot be given a line break');
      });
    });
  }

  const args = ['a b', 'c"d', '"e f"', '', 'x&y', 'g\\', 'h i\\', '(1)', '!j!', '> k', 'ä', '*'];

  it('get their arguments as they were given', async () => {
    const argv = [windows.node, `${windows.folder}\\args.js`, ...args, '%PATH%', 'l^m'];
    assert.deepEqual(JSON.parse((await run(backend, { argv })).output), [...args, '%PATH%', 'l^m']);
  });

  it('get their arguments through a batch file as well', async () => {
    const { output } = await run(backend, { argv: ['shim', ...args], env: pathWithBin() });
    assert.deepEqual(JSON.parse(output), args);
  });

  it('include npm', async () => {
    // npm's own batch file, and npm, as the installer of Node for Windows lays them out.
    const npm = path.join(path.dirname(fs.realpathSync(which('npm'))), '..');
    windows.link('nodejs/node.exe', path.join(windows.node.slice(2).replaceAll('\\', '/')));
    windows.link('nodejs/node_modules/npm', npm);
    windows.link('nodejs/npm.cmd', path.join(npm, 'bin/npm.cmd'));
    windows.write('project/package.json', '{"scripts":{"hello":"echo hello"}}');
    const env = { PATH: `${windows.folder}\\nodejs;C:\\windows\\system32` };
    const argv = ['npm', 'run', 'hello'];
    const { output, exitCode } = await run(backend, { argv, env, cwd: `${windows.folder}\\project` });
    assert.match(output, /^hello\r?$/m);
    assert.equal(exitCode, 0);
  });
});

function which(name: string): string {
  return execFileSync('which', [name], { encoding: 'utf8' }).trim();
}
