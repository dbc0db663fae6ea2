import assert from 'node:assert/strict';

import { parseCommandLine } from '../../src/server/commandLine.js';

describe('The exec-server without options about time', () => {
  const unheard = { out: () => assert.fail(), error: () => assert.fail() };
  const parse = (...args: readonly string[]) => {
    const command = parseCommandLine(args, unheard, {});
    assert.ok(command.kind === 'serve');
    const { detachedSessionSeconds, retentionSeconds, exitWhenIdleSeconds } = command;
    return { detachedSessionSeconds, retentionSeconds, exitWhenIdleSeconds };
  };

  it('keeps lost sessions and ended processes for 80 s, longer than clients try, and never exits by itself', () => {
    assert.deepEqual(parse('--listen', 'stdio'), {
      detachedSessionSeconds: 80,
      retentionSeconds: 80,
      exitWhenIdleSeconds: undefined,
    });
  });
});
