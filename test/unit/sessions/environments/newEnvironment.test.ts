import assert from 'node:assert/strict';
import { english } from '../../../../src/core/index.js';
import { environmentEntry, newEnvironment } from '../../../../src/sessions/environments/newEnvironment.js';
import type { EnvironmentWay } from '../../../../src/sessions/environments/newEnvironment.js';

describe('A new environment', () => {
  const made = (way: EnvironmentWay, target: string, name = '', taken: readonly string[] = []) =>
    newEnvironment({ way, target, name }, taken, english);
  const entry = (...args: Parameters<typeof made>): unknown => {
    const result = made(...args);
    assert.ok(result.ok, JSON.stringify(result));
    return environmentEntry(result.value);
  };

  it('is reached in the way that was chosen', () => {
    assert.deepEqual(entry('ssh', ' me@build.example.com ', 'Build machine'), {
      id: 'build-machine',
      name: 'Build machine',
      kind: 'command',
      argv: ['ssh', 'me@build.example.com', 'exec-server', 'bridge', '--stdio'],
    });
    assert.deepEqual(entry('container', 'web'), {
      id: 'web',
      kind: 'command',
      argv: ['docker', 'exec', '-i', 'web', 'exec-server', 'bridge', '--stdio'],
    });
    assert.deepEqual(entry('websocket', 'ws://127.0.0.1:4711', 'box'), {
      id: 'box',
      kind: 'websocket',
      url: 'ws://127.0.0.1:4711',
    });
  });

  it('takes a command in words, with quotes, or as a list', () => {
    const argv = ['kubectl', 'exec', 'my pod', '--', ''];
    for (const text of [`kubectl exec "my pod" -- ''`, JSON.stringify(argv)]) {
      assert.deepEqual((entry('command', text, 'pod') as { readonly argv: unknown }).argv, argv);
    }
    assert.equal(made('command', '[1]').ok, false);
    assert.equal(made('command', '["unfinished').ok, false);
  });

  it('gets an id of its own', () => {
    const id = (name: string, taken: readonly string[]) =>
      (entry('container', 'x', name, taken) as { readonly id: string }).id;
    assert.equal(id('Größe 1!', []), 'gro-e-1');
    assert.equal(id('web', ['web', 'web-2']), 'web-3');
    assert.equal(id('…', ['local']), 'environment');
    assert.equal(id('local', ['local']), 'local-2');
  });

  it('is refused with the reason if it cannot be reached like that', () => {
    for (const [way, target, reason] of [
      ['ssh', '', /Type a host/],
      ['ssh', '-oProxyCommand=x', /does not begin with "-"/],
      ['container', 'a b', /no spaces/],
      ['websocket', 'http://x', /begins with ws/],
      ['websocket', 'ws://me:hunter2@x', /Set Token/],
    ] as const) {
      const result = made(way, target);
      assert.ok(!result.ok, target);
      assert.match(result.message, reason);
      assert.ok(!result.message.includes('hunter2'));
    }
  });
});
