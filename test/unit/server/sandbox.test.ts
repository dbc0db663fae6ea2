import assert from 'node:assert/strict';

import { ExecError, type Variables } from '../../../src/core/index.js';
import { WireError } from '../../../src/protocol/index.js';
import { decodeSandbox, refuseOtherProtection } from '../../../src/server/methods/sandbox.js';
import { codexSandbox, entry, special } from '../../support/codexSandbox.js';

const surroundings = { cwd: '/w', variables: (): Variables => ({ TMPDIR: '/scratch' }) };
const decode = (given: unknown, around = surroundings) => decodeSandbox(given, around);

describe('the sandbox of a request', () => {
  it('is the one that the real client asks for in workspace-write', () => {
    assert.deepEqual(decode(codexSandbox(['/w', '/ä b'])), {
      places: [
        { path: '/', access: 'read' },
        { path: '/w', access: 'write' },
        { path: '/ä b', access: 'write' },
        { path: '/tmp', access: 'write' },
        { path: '/scratch', access: 'write' },
        ...['.git', '.agents', '.codex', '.aws'].flatMap((name) => [
          { path: `/w/${name}`, access: 'read' },
          { path: `/ä b/${name}`, access: 'read' },
        ]),
      ],
      network: false,
    });
  });

  it('is absent where the client asks for no protection', () => {
    for (const given of [undefined, null, { permissions: { type: 'disabled' } }]) {
      assert.equal(decode(given), undefined);
    }
  });

  it('has no places for roots that are missing or empty', () => {
    for (const workspaceRoots of [[], null, undefined]) {
      const { places } = decode({ ...codexSandbox(['/w']), workspaceRoots }) ?? assert.fail();
      assert.deepEqual(
        places.map((place) => place.path),
        ['/', '/tmp', '/scratch'],
      );
    }
  });

  it('has the roots of the policy where a file method names them once more', () => {
    const policyContext = { cwd: 'file:///policy', workspaceRoots: ['file:///policy'] };
    const asked = { ...codexSandbox(['/w']), policyContext, userHomeDir: 'file:///home' };
    const writable = decode(asked)?.places.filter(({ access }) => access === 'write');
    assert.deepEqual(
      writable?.map((place) => place.path),
      ['/policy', '/tmp', '/scratch'],
    );
  });

  it('takes TMPDIR of the program: a relative one lies in its directory, an empty one is no place', () => {
    const asked = codexSandbox([], { entries: [special('root', 'read'), special('tmpdir', 'write')] });
    const of = (TMPDIR?: string) =>
      decode(asked, { cwd: '/w', variables: () => (TMPDIR === undefined ? {} : { TMPDIR }) })?.places.slice(
        1,
      );
    assert.deepEqual(of('x'), [{ path: '/w/x', access: 'write' }]);
    assert.deepEqual(of(''), []);
    assert.deepEqual(of(), []);
  });

  it('reads the variables only for a place that needs them', () => {
    const variables = () => assert.fail('read');
    const asked = codexSandbox(['/w'], { entries: [special('root', 'write')] });
    assert.deepEqual(decodeSandbox(asked, { cwd: '/', variables })?.places, [{ path: '/', access: 'write' }]);
  });

  it('has a network only if that is enabled', () => {
    assert.equal(decode(codexSandbox(['/w'], { network: 'enabled' }))?.network, true);
  });

  const root = special('root', 'read');
  const entries = (...some: object[]) => codexSandbox(['/w'], { entries: [root, ...some] });
  const permissions = (some: object) => ({
    ...codexSandbox(['/w']),
    permissions: {
      type: 'managed',
      file_system: { type: 'restricted', entries: [root] },
      network: 'restricted',
      ...some,
    },
  });
  const refused: readonly (readonly [what: string, given: unknown, said: RegExp])[] = [
    ['something else than an object', 'x', /`sandbox`.*an object/],
    ['no permissions', {}, /`permissions`/],
    ['a sandbox of others', permissions({ type: 'external' }), /`permissions.type: external`.*"managed" or/],
    [
      'an unrestricted file system',
      permissions({ file_system: { type: 'unrestricted' } }),
      /type: unrestricted`/,
    ],
    ['no network member', permissions({ network: undefined }), /`permissions.network`.*"restricted" or/],
    ['another network', permissions({ network: 'limited' }), /`permissions.network: limited`/],
    ['an unknown permission', permissions({ ipc: true }), /`permissions.ipc`.*without/],
    ['no entries', permissions({ file_system: { type: 'restricted' } }), /entries`.*a list/],
    [
      'a depth of globs',
      permissions({ file_system: { type: 'restricted', entries: [root], glob_scan_max_depth: 3 } }),
      /glob_scan_max_depth`/,
    ],
    [
      'a glob',
      entries({ path: { type: 'glob_pattern', pattern: '*' }, access: 'read' }),
      /type: glob_pattern`.*"path"/,
    ],
    ['access "none"', entries(entry('/x', 'none')), /access: none`.*"read" or "write"/],
    ['an unknown place', entries(special('minimal', 'read')), /kind: minimal`.*"project_roots"/],
    ['a part of a place without parts', entries(special('slash_tmp', 'write', 'x')), /subpath`/],
    ['a part outside of its root', entries(special('project_roots', 'write', 'a/../..')), /subpath`.*stays/],
    ['an absolute part', entries(special('project_roots', 'write', '/etc')), /subpath`/],
    [
      'another missing_path_behavior',
      entries({ ...entry('/x', 'read'), missing_path_behavior: 'fail' }),
      /: fail`.*"skip"/,
    ],
    ['an unknown member of an entry', entries({ ...entry('/x', 'read'), except: ['y'] }), /entries.except`/],
    [
      'no read of the root',
      codexSandbox(['/w'], { entries: [entry('/w', 'write')] }),
      /entries`.*reads the root/,
    ],
    [
      'the old kernel filter alone',
      { ...codexSandbox(['/w']), useLegacyLandlock: true },
      /`useLegacyLandlock`/,
    ],
    ['an unknown member', { ...codexSandbox(['/w']), audit: {} }, /`sandbox.audit`/],
    ['a path that is no URI', entries({ path: { type: 'path', path: '/x' }, access: 'read' }), /invalid URI/],
    ['10,000 entries', entries(...Array.from({ length: 10_000 }, () => root)), /at most 256/],
    [
      '10,000 roots',
      codexSandbox(Array.from({ length: 10_000 }, () => '/w')),
      /`workspaceRoots`.*at most 256/,
    ],
    ['too many places in all', codexSandbox(Array.from({ length: 200 }, () => '/w')), /at most 256 places/],
    ['a path of megabytes', entries(entry(`/${'x'.repeat(5_000_000)}`, 'read')), /at most 12288 characters/],
    ['a name of megabytes', { ...codexSandbox([]), ['x'.repeat(5_000_000)]: 1 }, /`sandbox.x{100}`/],
  ];
  for (const [what, given, said] of refused) {
    it(`is refused with ${what}`, () => {
      assert.throws(
        () => decode(given),
        (error) =>
          error instanceof WireError &&
          error.code === -32602 &&
          said.test(error.message) &&
          error.message.length < 300,
      );
    });
  }

  it('may have unknown members that say nothing, and those for Windows', () => {
    assert.ok(decode({ ...codexSandbox(['/w']), audit: null, windowsSandboxLevel: 'elevated' }));
  });

  it('does not hide a failure to make the variables', () => {
    const variables = () => {
      throw new ExecError({ kind: 'tooManyPatterns' });
    };
    assert.throws(() => decodeSandbox(codexSandbox([]), { cwd: '/', variables }), ExecError);
  });
});

describe('another protection that a start asks for', () => {
  it('is refused by its name', () => {
    const start = { processId: 'p', argv: ['true'], cwd: 'file:///', env: {}, tty: false };
    for (const name of ['managedNetwork', 'networkProxy', 'shellSnapshot']) {
      assert.throws(() => refuseOtherProtection({ ...start, [name]: {} }), new RegExp(`\`${name}\``));
    }
    assert.throws(
      () => refuseOtherProtection({ ...start, enforceManagedNetwork: true }),
      /enforceManagedNetwork/,
    );
    refuseOtherProtection({ ...start, enforceManagedNetwork: false, networkProxy: null });
  });
});
