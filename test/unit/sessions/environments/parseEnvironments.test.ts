import assert from 'node:assert/strict';

import { english } from '../../../../src/core/index.js';
import { parseEnvironments } from '../../../../src/sessions/environments/parseEnvironments.js';

const SERVER = { id: 'server', kind: 'websocket', url: 'ws://127.0.0.1:4711' };
const SSH = { id: 'build', kind: 'command', argv: ['ssh', 'host', 'exec-server', 'bridge', '--stdio'] };

const problemOf = (entry: unknown): string => {
  const { definitions, problems } = parseEnvironments([entry], english);
  assert.deepEqual(definitions, []);
  assert.equal(problems.length, 1);
  return problems[0] ?? '';
};

describe('the environments of the settings', () => {
  it('are taken as they are written', () => {
    const { definitions, problems } = parseEnvironments(
      [SERVER, { ...SSH, name: ' Build machine ', cwd: '~/project' }],
      english,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(definitions, [
      { ...SERVER, name: 'server' },
      { ...SSH, name: 'Build machine', cwd: '~/project' },
    ]);
  });

  it('name the exit codes with which a command says that all is over', () => {
    const entry = { ...SSH, finalExitCodes: [99, 255] };
    assert.deepEqual(parseEnvironments([entry], english).definitions, [{ ...entry, name: 'build' }]);
    for (const finalExitCodes of [99, ['99'], [0], [256], [1.5], {}]) {
      assert.match(
        problemOf({ ...SSH, finalExitCodes }),
        /"finalExitCodes" must be a list of whole numbers from 1 to 255/,
      );
    }
  });

  it('name the directories whose files are on this machine as well', () => {
    const entry = { ...SSH, folders: { '/work': '/home/me/project', 'C:\\work': '/mnt/c' } };
    assert.deepEqual(parseEnvironments([entry], english).definitions, [{ ...entry, name: 'build' }]);
    for (const folders of [
      '/work',
      ['/work'],
      { work: '/home' },
      { '/work': 'home' },
      { '/work': '~' },
      { '/': 7 },
    ]) {
      assert.match(problemOf({ ...SSH, folders }), /"folders" must map absolute paths there/);
    }
  });

  it('are named one by one if they are wrong, and the others work', () => {
    const { definitions, problems } = parseEnvironments(
      [SERVER, 7, { ...SSH, id: 'local' }, { ...SSH, id: 'server' }, SSH],
      english,
    );
    assert.deepEqual(
      definitions.map(({ id }) => id),
      ['server', 'build'],
    );
    assert.deepEqual(problems, [
      'number 2: it must be an object with "id", "kind", and "url" or "argv"',
      'number 3 ("local"): "local" is the id of this machine: choose another one',
      'number 4 ("server"): another environment has the id "server" already',
    ]);
  });

  it('are no more than a tree can show', () => {
    const list = Array.from({ length: 100_000 }, (_, index) => ({ ...SERVER, id: `e${index}` }));
    const { definitions, problems } = parseEnvironments(list, english);
    assert.equal(definitions.length, 200);
    assert.deepEqual(problems, ['only the first 200 of 100000 are taken']);
  });

  it('are called by their id if their name cannot be seen', () => {
    const nameOf = (name: string) => parseEnvironments([{ ...SERVER, name }], english).definitions[0]?.name;
    assert.equal(nameOf('\u200b\u202e'), 'server');
    assert.equal(nameOf('a\u202eb\nc'), 'a b c');
  });

  it('have an id of letters, digits and dashes', () => {
    const { definitions } = parseEnvironments([{ ...SERVER, id: '__proto__' }], english);
    assert.equal(definitions[0]?.name, '__proto__');
    for (const id of [undefined, '', 'a b', 'ä', 'a/b', 7]) {
      assert.match(problemOf({ ...SERVER, id }), /"id" must be made of letters, digits/);
    }
  });

  it('have either an address or a command, as their kind says', () => {
    assert.match(problemOf({ ...SERVER, argv: ['x'] }), /either "url" or "argv"/);
    assert.match(problemOf({ id: 'x', kind: 'command' }), /either "url" or "argv"/);
    assert.match(problemOf({ ...SERVER, kind: 'command' }), /"command" needs "argv"/);
    assert.match(problemOf({ ...SSH, kind: 'websocket' }), /"websocket" needs "url"/);
    assert.match(problemOf({ ...SERVER, kind: 'rsh' }), /"kind" must be .* it is "rsh"/);
    for (const argv of ['ssh host', [], [''], ['ssh', 7]]) {
      assert.match(problemOf({ ...SSH, argv }), /"argv" must be a list of strings/);
    }
  });

  it('have an address of a WebSocket', () => {
    for (const url of ['http://x', 'localhost:4711', 'ws:', 'ws://', '', 7, 'unix:/x']) {
      assert.match(problemOf({ ...SERVER, url }), /must be an address that begins with ws:\/\/ or wss:\/\//);
    }
    assert.match(problemOf({ ...SERVER, url: 'ws://x/#y' }), /begins with "#"/);
    assert.deepEqual(parseEnvironments([{ ...SERVER, url: 'wss://[::1]:1/p?q=1' }], english).problems, []);
  });

  it('keep no secret, and no message repeats one', () => {
    for (const url of ['ws://me:hunter2@host', 'ws://hunter2@host', 'ws://:hunter2@host']) {
      const problem = problemOf({ ...SERVER, url });
      assert.match(problem, /use the command Set Token…/);
      assert.doesNotMatch(problem, /hunter2/);
    }
    const problem = problemOf({ ...SERVER, token: 'hunter2' });
    assert.match(problem, /a token does not belong in the settings: use the command Set Token…/);
    assert.doesNotMatch(problem, /hunter2/);
    assert.doesNotMatch(problemOf({ ...SERVER, url: 'hunter2' }), /hunter2/);
  });

  it('start in a directory that is one on any machine', () => {
    for (const cwd of ['/', '~', '~/x', 'C:\\x', 'c:/x', '\\\\host\\share', '']) {
      assert.deepEqual(parseEnvironments([{ ...SSH, cwd }], english).problems, [], cwd);
    }
    for (const cwd of ['x', './x', '~x', 'C:x', 7]) {
      assert.match(problemOf({ ...SSH, cwd }), /"cwd" must be an absolute path/);
    }
    assert.match(problemOf({ ...SSH, name: 7 }), /"name" must be a string/);
  });

  it('are machines in which the server installs itself, or engines with members that come and go', () => {
    const host = { id: 'web', kind: 'ssh', target: 'me@web.example.com:2222' };
    const shell = { id: 'jail', kind: 'shell', argv: ['chroot', '/jail', 'sh', '-c'] };
    const pods = { id: 'pods', kind: 'kubernetes', members: 'app=web', context: 'prod', namespace: 'shop' };
    const boxes = { id: 'boxes', kind: 'podman', members: '', name: 'Boxes', cwd: '/srv' };
    const { definitions, engines, problems } = parseEnvironments([host, pods, shell, boxes], english);
    assert.deepEqual(problems, []);
    assert.deepEqual(definitions, [
      { ...host, name: 'web' },
      { ...shell, name: 'jail' },
    ]);
    assert.deepEqual(engines, [{ ...pods, name: 'pods' }, boxes]);
  });

  it('have no names that a program would read as options, and ids of their own', () => {
    const pods = { id: 'pods', kind: 'kubernetes', members: '' };
    assert.match(problemOf({ id: 'a', kind: 'ssh', target: '-oProxyCommand=x' }), /"ssh" needs "target"/);
    assert.match(problemOf({ ...pods, members: '--as=root' }), /"members" must be a string/);
    assert.match(problemOf({ ...pods, context: '-x' }), /"context" and "namespace" must be names/);
    assert.match(problemOf({ ...pods, kind: 'command' }), /"members" needs one of these/);
    assert.match(parseEnvironments([pods, pods], english).problems[0] ?? '', /has the id "pods" already/);
  });
});
