import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import type { Disposable } from '../../../src/core/index.js';
import { socketNameOf } from '../../../src/machine/machineName.js';
import { findServers, watchServers } from '../../../src/machine/index.js';
import { until } from '../../support/until.js';
import { useMachine } from './machineFixture.js';

describe('A watch for session servers', () => {
  const fixture = useMachine();
  let watch: Disposable | undefined;
  let told = 0;
  let lines: string[] = [];

  const begin = (env: Readonly<Record<string, string>> = fixture.env) => {
    told = 0;
    lines = [];
    watch = watchServers(
      env,
      () => (told += 1),
      (line) => lines.push(line),
    );
  };

  afterEach(() => watch?.dispose());

  /** Where the socket of the login's servers is. */
  const place = () => path.join(fixture.folder, 'run/exec-sessions');
  const addSocket = (folder = place()) =>
    fs.writeFileSync(path.join(folder, socketNameOf('0'.repeat(12))), '');

  it('tells of one that another program starts, where no folder was for it yet', async () => {
    const found: number[] = [];
    watch = watchServers(
      fixture.env,
      () => void findServers(fixture.env).then((servers) => found.push(servers.length)),
      (line) => lines.push(line),
    );
    await fixture.connect();
    await until(
      () => found,
      (seen) => seen.includes(1),
    );
    assert.deepEqual(lines, []);
  });

  it('reports nothing that happens beside the folder', async () => {
    begin();
    fs.writeFileSync(path.join(fixture.folder, 'run/other'), 'something');
    fs.writeFileSync(path.join(fixture.folder, 'tmp/other'), 'something');
    fs.mkdirSync(place(), { mode: 0o700 });
    await until(() => told > 0);
    assert.equal(told, 1);
  });

  it('goes on when the folder goes, as at a logout, and comes back', async () => {
    fs.mkdirSync(place(), { mode: 0o700 });
    begin();
    fs.rmdirSync(place());
    fs.mkdirSync(place(), { mode: 0o700 });
    await until(() => told > 0);
    told = 0;
    addSocket();
    await until(() => told > 0);
  });

  it('watches no folder that others can write into', async () => {
    fs.mkdirSync(place(), { mode: 0o700 });
    fs.chmodSync(place(), 0o777);
    begin();
    addSocket();
    fs.chmodSync(place(), 0o700);
    await until(() => told > 0);
    assert.equal(told, 1, 'of the folder, and not of the file in it');
  });

  it('does without the folders that do not exist', () => {
    begin({ ...fixture.env, XDG_RUNTIME_DIR: path.join(fixture.folder, 'none/run'), TMPDIR: '/none/tmp' });
    assert.deepEqual(lines, []);
  });
});
