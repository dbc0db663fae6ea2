import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { startTimeOf } from '../../../src/local/index.js';
import { DoorFolder } from '../../../src/machine/index.js';
import { temporaryFolder } from '../../rig/lifetime.js';
import { describeOnLinux } from '../../support/onLinux.js';

describeOnLinux('The folder of a door', () => {
  let place: string;
  let remove: () => Promise<void>;
  let folder: string;
  let script: string;
  let door: DoorFolder;
  /** A process that runs as long as the test. */
  let other: ChildProcess;
  let pid: number;

  beforeEach(() => {
    place = fs.mkdtempSync(path.join(os.tmpdir(), 'es-door-'));
    remove = temporaryFolder(place);
    folder = path.join(place, 'private/claude-door');
    script = path.join(place, 'script');
    fs.writeFileSync(script, '');
    door = new DoorFolder(folder, script);
    other = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    pid = other.pid ?? assert.fail();
  });

  afterEach(async () => {
    other.kill('SIGKILL');
    await remove();
  });

  const at = (name: string | number) => path.join(folder, String(name));
  const identity = () => `${pid} ${startTimeOf(pid)}`;

  function record(id: number, startTime: string | undefined, ...fields: readonly string[]): string {
    const stat = `${id} (a) b) S ${'0 '.repeat(18)}${startTime} 0 0`;
    return [stat, ...fields, ''].join('\0');
  }

  const own = (...fields: readonly string[]) => record(pid, startTimeOf(pid), ...fields);

  it('is made while there is the script, for this user alone', () => {
    fs.rmSync(script);
    door.read();
    assert.ok(!fs.existsSync(folder));
    fs.writeFileSync(script, '');
    door.read();
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
    door.leave();
    assert.ok(!fs.existsSync(folder));
  });

  it('belongs to one server at a time, and to the next one when that has gone', () => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(at('server'), `${identity()}\n`);
    fs.writeFileSync(at(pid), own('c', '/', 'true'));
    assert.deepEqual(door.read(), []);
    door.leave();
    assert.ok(fs.existsSync(at(pid)));
    fs.writeFileSync(at('server'), `${pid} 1\n`);
    assert.deepEqual(
      door.read().map(({ command }) => command),
      ['true'],
    );
    assert.equal(fs.readFileSync(at('server'), 'utf8'), `${process.pid} ${startTimeOf(process.pid)}\n`);
  });

  it('is not used if others can look into it, or it is a link', () => {
    door.read();
    fs.writeFileSync(at(pid), own('c', '/', 'true'));
    fs.chmodSync(folder, 0o755);
    assert.deepEqual(door.read(), []);
    fs.chmodSync(folder, 0o700);
    fs.renameSync(folder, path.join(place, 'elsewhere'));
    fs.symlinkSync(path.join(place, 'elsewhere'), folder);
    assert.deepEqual(door.read(), []);
  });

  it('has commands without secrets, on one line', () => {
    door.read();
    fs.writeFileSync(
      at(pid),
      own('not an id', '/a\x1b[2J', 'export API_KEY=s3cret-s3cret\necho \x1b]52;c;eA==\x07'),
    );
    assert.deepEqual(door.read()[0], {
      startTime: startTimeOf(pid),
      pid,
      ppid: 0,
      agent: 'claude',
      conversation: undefined,
      cwd: '/a [2J',
      command: 'export API_KEY=*** echo ]52;c;eA==',
    });
  });

  it('waits for the rest of a record, and for its end', () => {
    door.read();
    const whole = own('c', '/', 'exit 7');
    fs.writeFileSync(at(pid), whole.slice(0, -2));
    assert.deepEqual(door.read(), []);
    fs.writeFileSync(at(pid), whole);
    assert.deepEqual(door.read()[0]?.end, undefined);
    fs.appendFileSync(at(pid), '7\0');
    assert.equal(door.read()[0]?.end?.exitCode, 7);
    assert.ok(!fs.existsSync(at(pid)));
    assert.equal(door.read().length, 1);
  });

  it('does not take a new process for the one of a record', () => {
    door.read();
    fs.writeFileSync(at(pid), record(pid, '1', 'c', '/', 'true'));
    assert.ok(door.read()[0]?.end !== undefined);
    assert.ok(!fs.existsSync(at(pid)));
  });

  it('keeps a command that runs although its file is gone, or the script', () => {
    door.read();
    fs.writeFileSync(at(pid), own('c', '/', 'true'));
    const found = door.read();
    fs.rmSync(script);
    assert.deepEqual(door.read(), found);
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(door.read(), found);
    other.kill('SIGKILL');
  });

  it('loses everything that the script has not written', () => {
    door.read();
    const target = path.join(place, 'target');
    fs.writeFileSync(target, 'mine');
    execFileSync('mkfifo', [at('4194304')]);
    fs.symlinkSync(target, at('4194305'));
    fs.mkdirSync(at('4194306'));
    fs.symlinkSync(place, at('4194307'));
    fs.writeFileSync(at('4194308'), record(4194308, '1', 'c', '/', 'x'.repeat(256 * 1024)));
    fs.writeFileSync(at('4194309'), record(4194310, '1', 'c', '/', 'true'));
    fs.writeFileSync(at('note'), 'text');
    assert.deepEqual(door.read(), []);
    assert.deepEqual(fs.readdirSync(folder), ['server']);
    assert.equal(fs.readFileSync(target, 'utf8'), 'mine');
  });

  it('forgets all but the newest 200 that have ended @all', () => {
    door.read();
    for (let id = 5_000_000; id < 5_001_010; id += 1) {
      fs.writeFileSync(at(id), `${record(id, '1', 'c', '/', String(id))}0\0`);
    }
    door.read();
    assert.ok(fs.readdirSync(folder).length > 10);
    assert.equal(door.read().length, 200);
    assert.deepEqual(fs.readdirSync(folder), ['server']);
  });
});
