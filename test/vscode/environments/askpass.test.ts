import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { Askpass, type Asker } from '../../../src/vscode/environments/askpass.js';
import { until } from '../../support/until.js';
import { extension, FakeUser } from '../fixture.js';

const HOST_KEY = `The authenticity of host 'box (::1)' can't be established.
ED25519 key fingerprint is SHA256:abc.
Are you sure you want to continue connecting (yes/no/[fingerprint])? `;

describe('Questions of ssh', function () {
  let user: FakeUser;
  let askpass: Askpass;
  let asker: Asker;

  before(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });

  beforeEach(async () => {
    user = new FakeUser();
    askpass = new Askpass(user, path.join(extension().extensionPath, 'dist/askpass.js'));
    asker = await askpass.askerFor('box');
  });

  afterEach(() => askpass.dispose());

  /** Asks as ssh does. The shell stays, so that all questions of a call come from one process. */
  const ask = async (questions: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const line = 'for question; do "$SSH_ASKPASS" "$question" || echo none; done';
    const variables = { ...process.env, ...asker.variables, ...env };
    const { stdout } = await promisify(execFile)('sh', ['-c', line, 'sh', ...questions], { env: variables });
    return stdout;
  };

  it('reach a person, with the name of the host, and are answered in one line', async () => {
    user.inputs.push('geheim ü', '123');
    assert.equal(await ask(["me@box's password: ", 'Code:']), 'geheim ü\n123\n');
    assert.deepEqual(user.asked, ['Sign in to "box": ', 'Sign in to "box": ']);
    assert.equal(asker.isDeclined(), false);
  });

  it('about the key of a host are confirmed', async () => {
    user.confirms.push(true);
    assert.equal(await ask([HOST_KEY]), 'yes\n');
    assert.deepEqual(user.messages, ['Is this the key of "box"?']);
  });

  it('end with Escape, and are not asked again by the same ssh', async () => {
    user.inputs.push(undefined, 'too late');
    assert.equal(await ask(['Password:', 'Password:']), 'none\nnone\n');
    assert.equal(user.asked.length, 1);
    assert.equal(asker.isDeclined(), true);
    assert.equal(await ask(['Password:']), 'too late\n');
    assert.equal(asker.isDeclined(), false);
  });

  it('that are only notices wait for the end of ssh, and keep nobody else from asking', async () => {
    user.inputs.push('123');
    const notice = ask(['Touch your key'], { SSH_ASKPASS_PROMPT: 'none' });
    await user.hears(/^box: Touch your key$/);
    assert.equal(asker.isAsking(), true);
    assert.equal(await ask(['Code:']), '123\n');
    askpass.dispose();
    assert.equal(await notice, 'none\n');
    await until(() => !asker.isAsking());
    assert.equal(asker.isDeclined(), false);
  });

  it('of others reach nobody', async () => {
    assert.equal(await ask(['Password:'], { EXEC_SESSIONS_ASKPASS_TOKEN: 'guess' }), 'none\n');
    asker.dispose();
    assert.equal(await ask(['Password:']), 'none\n');
    assert.deepEqual(user.asked, []);
  });

  it('leave nothing on the disk', () => {
    const folder = path.dirname(asker.variables['SSH_ASKPASS'] ?? '');
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
    askpass.dispose();
    assert.equal(fs.existsSync(folder), false);
  });
});
