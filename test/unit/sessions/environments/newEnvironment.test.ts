import assert from 'node:assert/strict';
import { english } from '../../../../src/core/index.js';
import { environmentEntry, newEnvironment } from '../../../../src/sessions/environments/newEnvironment.js';

describe('A new environment', () => {
  const made = (typed: string, taken: readonly string[] = []) => newEnvironment(typed, taken, english);
  const entry = (...args: Parameters<typeof made>): unknown => {
    const result = made(...args);
    assert.ok(result.ok, JSON.stringify(result));
    return environmentEntry(result.value);
  };

  it('is a host, or what else the text says', () => {
    assert.deepEqual(entry(' me@build.example.com:22 '), {
      id: 'me-build-example-com-22',
      name: 'me@build.example.com:22',
      kind: 'ssh',
      target: 'me@build.example.com:22',
    });
    assert.deepEqual(entry('docker web'), {
      id: 'docker-web',
      name: 'docker web',
      kind: 'docker',
      target: 'web',
    });
    const url = 'ws://127.0.0.1:4711';
    assert.deepEqual(entry(url), { id: 'ws-127-0-0-1-4711', name: url, kind: 'websocket', url });
  });

  it('takes a command in words, with quotes, or as a list', () => {
    const argv = ['kubectl', 'exec', 'my pod', '--', ''];
    for (const text of [`kubectl exec "my pod" -- ''`, JSON.stringify(argv)]) {
      assert.deepEqual((entry(text) as { readonly argv: unknown }).argv, argv);
    }
    const bridge = entry('ssh x exec-server bridge --stdio') as { readonly kind: unknown };
    assert.equal(bridge.kind, 'command');
  });

  it('gets an id of its own', () => {
    const id = (typed: string, taken: readonly string[]) =>
      (entry(typed, taken) as { readonly id: string }).id;
    assert.equal(id('web', ['web', 'web-2']), 'web-3');
    assert.equal(id('local', ['local']), 'local-2');
  });

  it('is refused with the reason if it cannot be reached like that', () => {
    for (const [typed, reason] of [
      [' ', /Type the name of a host/],
      ['-oProxyCommand=x', /names no machine/],
      ['docker -x', /names no machine/],
      ['http://x', /names no machine/],
      ['ws://', /begins with ws/],
      ['unix:///tmp/x', /socket/],
      ['ws://me:hunter2@x', /Set Token/],
    ] as const) {
      const result = made(typed);
      assert.ok(!result.ok, typed);
      assert.match(result.message, reason);
      assert.ok(!result.message.includes('hunter2'));
    }
  });
});
