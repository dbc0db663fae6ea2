import assert from 'node:assert/strict';

import { refusalText, type Sandbox, sandboxText } from '../../../../src/core/index.js';

function sandboxOf(writable: readonly string[], network = false): Sandbox {
  const write = writable.map((path) => ({ path, access: 'write' as const }));
  return { places: [...write, { path: '/srv/web/.git', access: 'read' }], network };
}

describe('A sandbox in words', () => {
  for (const [writable, text] of [
    [[], 'writes nothing'],
    [['/srv/web'], 'writes to web'],
    [['/srv/web', '/tmp'], 'writes to web'],
    [['/tmp'], 'writes to tmp'],
    [['/srv/web', '/tmp', '/tmp/user/1000', '/tmpfs'], 'writes to web and tmpfs'],
    [['/tmp/web', '/tmp', '/srv/api'], 'writes to web and api'],
    [['/'], 'writes to /'],
    [['/srv/web', '/srv/api/'], 'writes to web and api'],
    [['/srv/web', '/tmp', '/srv/api', '/var/cache', '/opt/x'], 'writes to web, api and 2 more'],
    [['/srv/a\u202eb\n'], 'writes to a b'],
    [[`/srv/${'x'.repeat(100)}`], `writes to ${'x'.repeat(59)}…`],
  ] as const) {
    it(`${text.slice(0, 30)} if it may write to ${JSON.stringify(writable).slice(0, 40)}`, () => {
      assert.equal(sandboxText(sandboxOf(writable)), `${text}, no network`);
    });
  }

  it('says that it has a network', () => {
    assert.equal(sandboxText(sandboxOf(['/srv/web'], true)), 'writes to web, with network');
  });
});

describe('An end that a sandbox has caused', () => {
  it('names the file if the output does', () => {
    assert.equal(
      refusalText({ exitCode: 1, refused: { file: '/etc/hosts' } }),
      'refused by the sandbox: /etc/hosts is read-only',
    );
    assert.equal(refusalText({ exitCode: 1, refused: {} }), 'refused by the sandbox');
    assert.equal(
      refusalText({ exitCode: 1, refused: { file: '/a\u202eb\u0007' } }),
      'refused by the sandbox: /a b is read-only',
    );
    assert.equal(refusalText({ exitCode: 1 }), undefined);
  });
});
