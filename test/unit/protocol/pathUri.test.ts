import assert from 'node:assert/strict';

import fc from 'fast-check';

import { pathFromUri, uriFromPath, WireError } from '../../../src/protocol/index.js';

const linux = (uri: string) => pathFromUri(uri, { platform: 'linux', cwd: true });
const windows = (uri: string) => pathFromUri(uri, { platform: 'win32' });

describe('pathFromUri', () => {
  // The paths that the real server took.
  const paths = [
    ['file:///tmp', '/tmp'],
    ['file:///tmp/', '/tmp'],
    ['file://localhost/tmp', '/tmp'],
    ['file://LOCALHOST/tmp', '/tmp'],
    ['file:/tmp', '/tmp'],
    ['file:tmp', '/tmp'],
    ['file:tmp/x', '/tmp/x'],
    ['FILE:///tmp', '/tmp'],
    ['file://', '/'],
    ['file:', '/'],
    ['file:////tmp', '/tmp'],
    ['file:///tmp/../etc', '/etc'],
    ['file:///tmp/%2e%2E/etc', '/etc'],
    ['file:///../../x', '/x'],
    ['file:../x', '/x'],
    ['file:///tmp/./x', '/tmp/x'],
    [' file:///tmp ', '/tmp'],
    ['fi\nle:///t\tmp', '/tmp'],
    ['file:///a%20b c', '/a b c'],
    ['file:///%', '/%'],
    ['file:///%zz%2', '/%zz%2'],
    ['file:///é%C3%A9😀', '/éé😀'],
    ['file:///a%3Fb%23c', '/a?b#c'],
    ['file:///a%5Cb', '/a\\b'],
    ['file:///a\\b', '/a/b'],
  ] as const;
  for (const [uri, path] of paths) {
    it(`takes ${JSON.stringify(uri)} for ${path}`, () => assert.equal(linux(uri), path));
  }

  it('takes time in proportion to the length', () => {
    // This would outlast the limit of a test if each separator were compared with all before it.
    const count = 1_000_000;
    const middle = '/'.repeat(count);
    assert.equal(linux(`file:///a${middle}b`), `/a${middle}b`);
    assert.equal(linux(`file:///${middle}b${middle}`), '/b');
    assert.equal(windows(`file:///C:/a${middle}b${middle}`), `C:\\a${'\\'.repeat(count)}b`);
    assert.throws(() => linux(`file:///a${'#'.repeat(count)}`), /no fragment/);
  });

  const NO_URI = /^invalid URI: .*has to be one such as file:/;
  const NO_FILE_URI = /^unsupported path URI scheme: .*has to begin with file:/;
  const foreign = (uri: string) => `'${uri}' is invalid on 'linux'`;
  const faults = [
    ['/tmp', NO_URI],
    ['', NO_URI],
    ['tmp', NO_URI],
    ['1:', NO_URI],
    ['file ///tmp', NO_URI],
    ['http://x/a', NO_FILE_URI],
    ['C:\\x', NO_FILE_URI],
    ['c:/x', NO_FILE_URI],
    ['vscode-remote://ssh/tmp', NO_FILE_URI],
    ['file:///tmp?x', /a path has no query and no fragment$/],
    ['file:///tmp?', /a path has no query and no fragment$/],
    ['file:///tmp?x#y', /a path has no query and no fragment$/],
    ['file:///tmp#x', /a path has no query and no fragment$/],
    ['file:///tmp#', /a path has no query and no fragment$/],
    ['file:///tmp#a?b', /a path has no query and no fragment$/],
    ['file://user@host/tmp', NO_URI],
    ['file://host:80/tmp', NO_URI],
    ['file://a b/tmp', NO_URI],
    ['file://host/tmp', foreign('file://host/tmp')],
    ['file://host', foreign('file://host/')],
    ['file://127.0.0.1/tmp', foreign('file://127.0.0.1/tmp')],
    ['file:///C:/x', foreign('file:///C:/x')],
    ['file:///C%3A/x', foreign('file:///C%3A/x')],
    ['file:///D:', foreign('file:///D:')],
    ['file:///a%00b', "'file:///a%00b' is invalid on 'linux'"],
  ] as const;
  for (const [uri, fault] of faults) {
    it(`says what is wrong with ${JSON.stringify(uri)}`, () => {
      assert.throws(() => linux(uri), { code: -32602, message: fault });
    });
  }

  it('uses another error code for a bad working directory', () => {
    assert.throws(
      () => pathFromUri('file://host/a', { platform: 'linux' }),
      new WireError(-32600, "'file://host/a' is invalid on 'linux'"),
    );
  });

  it('refuses bytes that are no text, rather than reach for another file', () => {
    assert.throws(() => linux('file:///a%ff'), WireError);
  });

  it('knows the drives and shares of Windows', () => {
    assert.equal(windows('file:///C:/a%20b/c/'), 'C:\\a b\\c');
    assert.equal(windows('file:///c%3A/a'), 'c:\\a');
    assert.equal(windows('file:///D:'), 'D:\\');
    assert.equal(windows('file:///D:/'), 'D:\\');
    assert.equal(windows('file://localhost/C:/a'), 'C:\\a');
    assert.equal(windows('file://host/share/a'), '\\\\host\\share\\a');
    for (const uri of ['file:///tmp', 'file:///', 'file://host', 'file:///C:/a%2Fb', 'file:///C:/a%5Cb']) {
      assert.throws(() => windows(uri), /is invalid on 'windows'/, uri);
    }
  });
});

describe('uriFromPath', () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((part) => part !== '.' && part !== '..' && !/[/\0\ud800-\udfff]/.test(part));

  it('is undone by pathFromUri on Linux and macOS @property', () => {
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1 }),
        fc.constantFrom('linux', 'darwin', 'macos'),
        (parts, platform) => {
          const path = `/${parts.join('/')}`;
          fc.pre(!/^\/[a-z]:(\/|$)/i.test(path));
          assert.equal(pathFromUri(uriFromPath(path, platform), { platform }), path);
        },
      ),
    );
  });

  it('is undone by pathFromUri on Windows @property', () => {
    const windowsName = name.filter((part) => !/[\\:]/.test(part));
    fc.assert(
      fc.property(
        fc.array(windowsName, { minLength: 1 }),
        fc.constantFrom('C:', '\\\\host\\share'),
        (parts, root) => {
          const path = [root, ...parts].join('\\');
          assert.equal(pathFromUri(uriFromPath(path, 'win32'), { platform: 'windows' }), path);
        },
      ),
    );
  });

  const uris = [
    ['/', 'linux', 'file:///'],
    ['/a b/é%/x?#', 'linux', 'file:///a%20b/%C3%A9%25/x%3F%23'],
    ['C:\\', 'win32', 'file:///C:/'],
    ['c:/a\\b c', 'windows', 'file:///c:/a/b%20c'],
    ['\\\\host\\share\\a b', 'windows', 'file://host/share/a%20b'],
    ['\\\\?\\C:\\a', 'windows', 'file:///C:/a'],
    ['\\\\?\\UNC\\host\\share\\a', 'windows', 'file://host/share/a'],
  ] as const;
  for (const [path, platform, uri] of uris) {
    it(`writes ${path} as ${uri}`, () => assert.equal(uriFromPath(path, platform), uri));
  }

  it('refuses what is not absolute', () => {
    for (const [path, platform] of [
      ['a', 'linux'],
      ['', 'darwin'],
      ['C:\\a', 'linux'],
      ['C:a', 'win32'],
      ['/a', 'win32'],
    ] as const) {
      assert.throws(() => uriFromPath(path, platform), WireError);
    }
  });
});
