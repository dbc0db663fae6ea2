import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { until } from '../../support/until.js';
import { Fixture, setSetting } from '../fixture.js';

const ROW = { id: 'slurm-41', name: 'Slurm 41', kind: 'slurm', members: '41' };

describe('allocations of Slurm', () => {
  let fixture: Fixture;
  let folder: string;
  const before = process.env['PATH'];

  beforeEach(() => {
    fixture = new Fixture();
    folder = fs.mkdtempSync(path.join(tmpdir(), 'es-slurm-'));
    process.env['PATH'] = `${folder}:${before}`;
  });

  afterEach(async () => {
    process.env['PATH'] = before;
    await setSetting('environments', undefined);
    await fixture.dispose();
    fs.rmSync(folder, { recursive: true });
  });

  /** A program of Slurm that writes its arguments down, each in brackets, and then runs the script. */
  const plays = (program: string, script: string) =>
    fs.writeFileSync(
      path.join(folder, program),
      `#!/bin/sh\nprintf '[%s]' "$@" > "${folder}/${program}.args"\n${script}\n`,
      { mode: 0o755 },
    );
  const argsOf = (program: string) => fs.readFileSync(path.join(folder, `${program}.args`), 'utf8');
  const written = () => vscode.workspace.getConfiguration('execSessions').get<unknown>('environments');
  const engines = () => fixture.services.environments.engines;
  const ask = async (options: string | undefined) => {
    fixture.user.inputs.push(options);
    await fixture.commands['execSessions.newAllocation']();
  };
  const cancel = () => fixture.commands['execSessions.cancelAllocation']({ kind: 'engine', id: ROW.id });
  const useRow = async () => {
    await setSetting('environments', [ROW]);
    await until(() => engines().length, 1);
  };

  it('become a row of the settings, with options as a person quotes them', async () => {
    plays('salloc', 'echo "salloc: Granted job allocation 41" >&2');
    await ask('-N2 --comment "two words"');
    assert.equal(argsOf('salloc'), '[--no-shell][-N2][--comment][two words]');
    assert.deepEqual(written(), [ROW]);
    await until(() => engines()[0]?.members, '41');
  });

  it('are refused with the last line of salloc, and ask nothing of one who gives up', async () => {
    plays('salloc', 'echo "salloc: first" >&2; echo "salloc: error: Invalid partition" >&2; exit 1');
    await ask(undefined);
    assert.ok(!fs.existsSync(path.join(folder, 'salloc.args')));
    await assert.rejects(ask('-p none'), { name: 'UserError', message: 'salloc: error: Invalid partition' });
    assert.deepEqual(written(), []);
  });

  it('are cancelled and forgotten by one who confirms it', async () => {
    plays('scancel', 'exit 0');
    await useRow();
    fixture.user.confirms.push(false, true);
    await cancel();
    assert.deepEqual(written(), [ROW]);
    await cancel();
    assert.equal(argsOf('scancel'), '[41]');
    assert.deepEqual(written(), []);
    assert.equal(fixture.user.messages[0], 'Cancel the allocation "Slurm 41"?');
  });

  it('stay in the settings where scancel fails, unless the job has ended', async () => {
    plays('scancel', 'echo "scancel: error: Access denied" >&2; exit 1');
    await useRow();
    fixture.user.confirms.push(true, true);
    await assert.rejects(cancel(), { name: 'UserError', message: 'scancel: error: Access denied' });
    assert.deepEqual(written(), [ROW]);
    plays(
      'scancel',
      'echo "scancel: error: Kill job error on job id 41: Invalid job id specified" >&2; exit 1',
    );
    await cancel();
    assert.deepEqual(written(), []);
  });
});
