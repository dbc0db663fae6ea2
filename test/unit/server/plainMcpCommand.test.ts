import assert from 'node:assert/strict';

import fc from 'fast-check';

import { parseCommandLine } from '../../../src/server/commandLine.js';
import { plainMcpCommand } from '../../../src/server/mcp/plainMcpCommand.js';

describe('The plain command line of an MCP server', () => {
  const silent = { out: () => undefined, error: () => undefined };

  it('is read without the full parser', () => {
    const place = { kind: 'local', alone: false } as const;
    const plain = {
      kind: 'mcp',
      place,
      cwd: undefined,
      environmentName: undefined,
      compatible: false,
    } as const;
    assert.deepEqual(plainMcpCommand(['mcp']), plain);
    assert.deepEqual(plainMcpCommand(['mcp', '--cwd', '/work', '--environment-name', 'a box']), {
      ...plain,
      cwd: '/work',
      environmentName: 'a box',
    });
    assert.deepEqual(plainMcpCommand(['mcp', '--alone', '--cwd', '/work']), {
      ...plain,
      place: { kind: 'local', alone: true },
      cwd: '/work',
    });
  });

  it('is left to the full parser in any other form', () => {
    const others: readonly (readonly string[])[] = [
      [],
      ['bridge'],
      ['--cwd', '/work'],
      ['mcp', '--cwd'],
      ['mcp', '--cwd', '--environment-name'],
      ['mcp', '--cwd', '/one', '--cwd', '/two'],
      ['mcp', '--cwd=/work'],
      ['mcp', '--compatible'],
      ['mcp', '--alone', '--alone'],
      ['mcp', '--cwd', '--alone'],
      ['mcp', '--connect', 'ws://host:1'],
      ['mcp', '--help'],
      ['mcp', '--', 'program'],
    ];
    assert.deepEqual(
      others.filter((args) => plainMcpCommand(args) !== undefined),
      [],
    );
  });

  it('has the same meaning as for the full parser @property', () => {
    const word = fc.constantFrom(
      'mcp',
      '--cwd',
      '--environment-name',
      '--alone',
      '/work',
      'a box',
      '',
      '-x',
      '--',
      '--compatible',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const args = ['mcp', ...words];
        const plain = plainMcpCommand(args);
        fc.pre(plain !== undefined);
        assert.deepEqual(plain, parseCommandLine(args, silent, {}));
      }),
    );
  });
});
