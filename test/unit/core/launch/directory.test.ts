import assert from 'node:assert/strict';

import { directoryThere, isWindowsThere } from '../../../../src/core/launch/directory.js';

describe('where a command starts', () => {
  const host = { platform: 'linux', cwd: '/srv', homeDir: '/home/me' };
  const windows = { platform: 'win32', cwd: 'D:\\work', homeDir: 'C:\\Users\\me' };

  it('is the first of what was asked for, what the settings say, and what its server says', () => {
    assert.equal(directoryThere(['/tmp', '/opt'], host), '/tmp');
    assert.equal(directoryThere([undefined, '/opt'], host), '/opt');
    assert.equal(directoryThere([undefined, undefined], host), '/srv');
    assert.equal(directoryThere([], { homeDir: '/home/me' }), '/home/me');
    assert.equal(directoryThere([], {}), '/');
    assert.equal(directoryThere([], { platform: 'win32' }), 'C:\\');
  });

  it('may be below the next one', () => {
    assert.equal(directoryThere(['src', '/opt/'], host), '/opt/src');
    assert.equal(directoryThere(['src', undefined], host), '/srv/src');
    assert.equal(directoryThere(['../x', undefined], windows), 'D:\\x');
  });

  it('is a path of Windows if that shows', () => {
    assert.ok(isWindowsThere(windows));
    assert.ok(isWindowsThere({ cwd: 'D:\\work' }));
    assert.ok(isWindowsThere({ shell: { name: 'cmd', path: 'C:\\Windows\\System32\\cmd.exe' } }));
    assert.ok(isWindowsThere({ homeDir: '\\\\server\\me' }));
    assert.ok(!isWindowsThere(host) && !isWindowsThere({}) && !isWindowsThere({ cwd: '/c:/x' }));
    assert.ok(!isWindowsThere({ platform: 'linux', cwd: 'C:\\' }), 'what it says of itself counts');
    assert.equal(directoryThere(['src'], { cwd: 'D:\\work' }), 'D:\\work\\src');
  });

  it('may be below the home directory there, if that is known', () => {
    assert.equal(directoryThere(['~', undefined], host), '/home/me');
    assert.equal(directoryThere(['src', '~/project'], host), '/home/me/project/src');
    assert.equal(directoryThere(['~\\x'], windows), 'C:\\Users\\me\\x');
    assert.equal(directoryThere(['~'], { platform: 'linux', cwd: '/srv' }), undefined);
  });

  it('is written as its machine writes it', () => {
    assert.equal(directoryThere(['.', '/opt/a/'], host), '/opt/a');
    assert.equal(directoryThere(['./b/../../c', '/opt/a'], host), '/opt/c');
    assert.equal(directoryThere(['/../../x//y/'], host), '/x/y');
    assert.equal(directoryThere(['back\\slash'], host), '/srv/back\\slash');
    assert.equal(directoryThere(['a/b', 'D:/x/'], windows), 'D:\\x\\a\\b');
    assert.equal(directoryThere(['\\x', 'D:\\work\\a'], windows), 'D:\\x');
    assert.equal(directoryThere(['/x'], windows), 'D:\\x');
    assert.equal(directoryThere(['C:\\x', '/opt'], host), '/opt/C:\\x');
    assert.equal(directoryThere(['..\\..', '//server/share/me'], windows), '\\\\server\\share\\');
  });
});
