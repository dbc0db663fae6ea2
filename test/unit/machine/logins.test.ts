import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { endsAtLogout, lingers, type LoginUser } from '../../../src/machine/logins.js';

const LOGIN = '0::/user.slice/user-1000.slice/session-2.scope\n';
const ELSEWHERE = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope\n';

describe('A login of systemd', () => {
  let root = '';
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'es-logins-'));
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));
  const write = (name: string, text = '') => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  const user = (some: Partial<LoginUser> = {}): LoginUser => ({ name: 'me', uid: 1000, root, ...some });
  const ends = (groups = LOGIN, some?: Partial<LoginUser>) => endsAtLogout(groups, user(some));

  it('lingers where a file says so', () => {
    write('var/lib/systemd/linger/me');
    assert.ok(lingers(user()));
    assert.ok(!lingers(user({ name: 'you' })));
  });

  it('ends nothing without a setting, or with one that is commented out', () => {
    assert.ok(!ends());
    write('etc/systemd/logind.conf', '[Login]\n#KillUserProcesses=yes\n');
    assert.ok(!ends());
  });

  it('ends what it leaves if a setting says so, but not for root and not in a scope elsewhere', () => {
    write('etc/systemd/logind.conf', '[Login]\nKillUserProcesses=yes\n');
    assert.ok(ends());
    assert.ok(!ends(LOGIN, { uid: 0 }));
    assert.ok(!ends(ELSEWHERE));
  });

  it('takes the last part of the settings by its name, and of two with one name that in /etc', () => {
    write('usr/lib/systemd/logind.conf', 'KillUserProcesses=no');
    write('usr/lib/systemd/logind.conf.d/20-kill.conf', 'KillUserProcesses = true');
    write('etc/systemd/logind.conf.d/10-no.conf', 'KillUserProcesses=no');
    write('etc/systemd/logind.conf.d/30-no.txt', 'KillUserProcesses=no');
    assert.ok(ends());
    write('etc/systemd/logind.conf.d/20-kill.conf');
    assert.ok(!ends());
  });
});
