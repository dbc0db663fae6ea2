import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { bootId, processNamespace, startTimeOf } from '../../../../src/local/index.js';
import { MountPoints, sweepMountPoints } from '../../../../src/local/sandbox/mountPoints.js';
import { describeOnLinux } from '../../../support/onLinux.js';

describeOnLinux('The mount points of a sandbox', () => {
  let base: string;
  let notes: string;
  let work: string;
  let git: string;
  let agents: string;

  beforeEach(() => {
    base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-mount-points-')));
    notes = path.join(base, 'notes');
    work = path.join(base, 'home', 'work');
    fs.mkdirSync(notes);
    fs.mkdirSync(work, { recursive: true });
    [git, agents] = ['.git', '.agents'].map((name) => path.join(work, name)) as [string, string];
  });

  afterEach(() => {
    fs.rmSync(base, { recursive: true });
  });

  const exists = (...folders: readonly string[]) => folders.map((folder) => fs.existsSync(folder));
  const left = () => [...fs.readdirSync(work), ...fs.readdirSync(notes)];
  /** Leaves the mount point and the note of a program that was killed. @returns the path of the note. */
  const leave = async (ended?: string) => {
    const points = new MountPoints(notes);
    await points.make([git]);
    const own = fs.readdirSync(notes).find((name) => name.startsWith(path.basename(points.own))) ?? '';
    const note = path.join(notes, own.replace(/^\d+\.\d+/, ended ?? (await endedProcess())));
    fs.renameSync(path.join(notes, own), note);
    return note;
  };

  /** Replaces the text of a note at an index. */
  const change = (note: string, index: number, text: string) => {
    fs.writeFileSync(note, fs.readFileSync(note, 'utf8').split('\0').with(index, text).join('\0'));
  };

  it('are there while it runs, and nothing of them afterwards', async () => {
    const release = await new MountPoints(notes).make([git, agents]);
    assert.deepEqual(exists(git, agents), [true, true]);
    await release();
    assert.deepEqual(left(), []);
  });

  it('let their owner fill them, and then stay', async () => {
    const release = await new MountPoints(notes).make([git]);
    fs.writeFileSync(path.join(git, 'HEAD'), 'ref: refs/heads/main\n');
    await release();
    assert.deepEqual(fs.readdirSync(git), ['HEAD']);
  });

  it('stay if they were there before, empty or not', async () => {
    fs.mkdirSync(git);
    fs.mkdirSync(path.join(agents, 'skills'), { recursive: true });
    const points = new MountPoints(notes);
    const release = await points.make([git, agents]);
    const another = await points.make([git, agents]);
    assert.deepEqual(fs.readdirSync(agents), ['skills']);
    await release();
    await another();
    assert.deepEqual([fs.readdirSync(git), fs.readdirSync(agents)], [[], ['skills']]);
  });

  it('are removed by their maker on a disk that does not keep the sticky bit', async () => {
    const release = await new MountPoints(notes).make([git]);
    fs.chmodSync(git, 0o777);
    await release();
    assert.deepEqual(left(), []);
  });

  it('are removed with those in them that another sandbox has made meanwhile', async () => {
    const points = new MountPoints(notes);
    const release = await points.make([git]);
    const releaseInner = await points.make([path.join(git, 'in')]);
    await release();
    assert.deepEqual(exists(git), [true]);
    await releaseInner();
    assert.deepEqual(left(), []);
    assert.ok(fs.existsSync(base));
  });

  for (const order of ['first', 'last']) {
    it(`stay while a sandbox of another server uses them, if their maker ends ${order}`, async () => {
      const others = path.join(base, 'other notes');
      fs.mkdirSync(others);
      const made = await new MountPoints(notes).make([git]);
      const found = await new MountPoints(others).make([git, agents]);
      const [first, last] = order === 'first' ? [made, found] : [found, made];
      await first();
      assert.deepEqual(exists(git), [true]);
      await last();
      assert.deepEqual([...left(), ...fs.readdirSync(others)], []);
    });
  }

  it('are there for each of many sandboxes that start and end at the same moments @property', async () => {
    const servers = [1, 2, 3].map((server) => path.join(base, `notes ${server}`));
    const rounds = Number(process.env['EXEC_SESSIONS_PROPERTY_RUNS'] ?? 10);
    servers.forEach((server) => fs.mkdirSync(server));
    await Promise.all(
      servers.flatMap((server) => {
        const points = new MountPoints(server);
        return [1, 2].map(async () => {
          for (let round = 0; round < 3 * rounds; round++) {
            const release = await points.make([git, agents]);
            assert.deepEqual(exists(git, agents), [true, true]);
            await setImmediate();
            assert.deepEqual(exists(git, agents), [true, true]);
            await release();
          }
        });
      }),
    );
    assert.deepEqual([...left(), ...servers.flatMap((server) => fs.readdirSync(server))], []);
  });

  for (const [count, tag] of [
    [1, ''],
    [1000, ' @all'],
  ] as const) {
    it(`are removed at the next start if their program was killed, with ${count} of them${tag}`, async () => {
      const ended = await endedProcess();
      for (let number = 0; number < count; number++) {
        const folder = path.join(work, String(number));
        change(await leave(ended), 2, folder);
        fs.renameSync(git, folder);
      }
      const release = await new MountPoints(notes).make([agents]);
      assert.deepEqual(fs.readdirSync(work), ['.agents']);
      await release();
      assert.deepEqual(left(), []);
    });
  }

  it('are removed although their program is still listed, if it is about to end', async () => {
    const points = new MountPoints(notes);
    await points.make([git]);
    await sweepMountPoints(notes);
    assert.deepEqual(exists(git), [true]);
    await sweepMountPoints(notes, points.own);
    assert.deepEqual(left(), []);
  });

  it('are removed after the machine has started again', async () => {
    await new MountPoints(notes).make([git]);
    change(path.join(notes, fs.readdirSync(notes)[0] ?? ''), 0, 'another');
    await sweepMountPoints(notes);
    assert.deepEqual(left(), []);
  });

  it('stay if their program is one of another machine or container', async () => {
    const note = await leave();
    change(note, 1, 'another/pid:[1]');
    await sweepMountPoints(notes);
    assert.deepEqual([exists(git), exists(note)], [[true], [true]]);
  });

  it('need no whole notes, and other files stay', async () => {
    const ended = await endedProcess();
    const boot = bootId();
    const texts = ['', boot.slice(1), `${boot}\0${processNamespace().slice(1)}`];
    texts.forEach((text) => fs.writeFileSync(path.join(notes, `${ended}.${randomUUID()}`), text));
    const others = [`${ended}.${randomUUID()}`, 'another file'];
    fs.mkdirSync(path.join(notes, others[0] ?? ''));
    fs.writeFileSync(path.join(notes, others[1] ?? ''), '');
    await sweepMountPoints(notes);
    assert.deepEqual(fs.readdirSync(notes).sort(), others);
  });

  it('are not made if they cannot be noted', async () => {
    fs.rmdirSync(notes);
    await assert.rejects(new MountPoints(notes).make([git]), { code: 'ENOENT' });
    assert.deepEqual(fs.readdirSync(work), []);
  });

  it('are removed again if one of them cannot be made', async () => {
    const file = path.join(work, 'file');
    fs.writeFileSync(file, '');
    fs.symlinkSync('nowhere', agents);
    for (const folder of [path.join(work, 'missing', '.git'), agents]) {
      await assert.rejects(new MountPoints(notes).make([git, folder]));
      assert.deepEqual(left(), ['.agents', 'file']);
    }
  });

  it('are not made where programs of the user could not make them', async () => {
    const points = new MountPoints(notes);
    const release = await points.make(['/sys/.git', git]);
    assert.deepEqual(exists(git), [true]);
    await release();
    assert.deepEqual(left(), []);
  });

  it('are not looked for where a link has taken their place, or that of a folder above them', async () => {
    const [other, home, moved] = ['other', 'home', 'moved'].map((name) => path.join(base, name)) as [
      string,
      string,
      string,
    ];
    const others = path.join(other, 'work', '.git');
    fs.mkdirSync(others, { recursive: true });
    fs.chmodSync(others, 0o1755);
    const release = await new MountPoints(notes).make([git, agents]);
    fs.renameSync(agents, path.join(work, 'moved'));
    fs.symlinkSync(others, agents);
    fs.renameSync(home, moved);
    fs.symlinkSync(other, home);
    await release();
    assert.deepEqual(exists(others, path.join(moved, 'work', '.git')), [true, true]);
    assert.equal(fs.readdirSync(path.join(moved, 'work', 'moved')).length, 1);
  });
});

/** The number and the start time of a process that has ended, as in the name of a note. */
async function endedProcess(): Promise<string> {
  const child = spawn('true');
  const name = `${child.pid}.${startTimeOf(child.pid ?? 0)}`;
  await once(child, 'exit');
  return name;
}
