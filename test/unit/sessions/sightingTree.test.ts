import assert from 'node:assert/strict';

import { english, type Sighting } from '../../../src/core/index.js';
import { sightingMarkdown } from '../../../src/sessions/words/index.js';
import type { ShellCommand } from '../../../src/vscode/terminals/shellCommands.js';
import { OTHERS, sightingTree } from '../../../src/vscode/tree/sightingTree.js';

const NOW = 1_000_000_000;
let pids = 0;

const sighting = (command: string, some: Partial<Sighting> = {}): Sighting => ({
  pid: (pids += 1),
  startTime: '5',
  kind: 'command',
  handedOver: false,
  command,
  sid: 1,
  processes: 1,
  detached: false,
  shared: false,
  startedAt: NOW - 300_000,
  ...some,
});

const ofClaude = (pid?: number) => ({ agents: ['claude'], claimed: false, pid });

const inShell = (id: string, command: string, shellPid: number, some: Partial<ShellCommand> = {}) => ({
  ...{ id, command, cwd: undefined, shellPid, startedAt: NOW - 300_000 },
  terminal: { show: () => undefined, exitStatus: undefined },
  ...some,
});

/** The rows as they are shown: those below another one are indented. */
function drawn(sightings: readonly Sighting[], shellCommands: readonly ShellCommand[] = []): string[] {
  const rows = sightingTree(sightings, shellCommands, NOW, english);
  const below = (id: string, depth: number): string[] => {
    const row = rows.get(id);
    const text = [row?.label, row?.description].filter(Boolean).join(' | ');
    return [' '.repeat(depth) + text, ...(row?.below ?? []).flatMap((one) => below(one, depth + 1))];
  };
  return rows.has(OTHERS) ? below(OTHERS, 0) : [];
}

describe('The rows of other processes', () => {
  it('stand below their agent, the newest first, with its helpers in one row', () => {
    const agent = sighting('claude --resume', { kind: 'agent', cwd: '/work' });
    const owner = ofClaude(agent.pid);
    assert.deepEqual(
      drawn([
        sighting('old', { owner, startedAt: NOW - 7_200_000 }),
        agent,
        sighting('mcp one', { owner, kind: 'helper' }),
        sighting('new', { owner, ports: [3000, 3001], handedOver: true }),
        sighting('mcp two', { owner, kind: 'helper' }),
        sighting('of an agent that has gone', { owner: ofClaude() }),
      ]),
      [
        'Other Processes',
        ' Claude Code | 2 commands · pid 1 · /work',
        '  new | :3000 :3001 · 5 m · handed over',
        '  old | 2 h · seen',
        '  2 helpers',
        '   mcp one | 5 m · seen',
        '   mcp two | 5 m · seen',
        ' of an agent that has gone | Claude Code · 5 m · seen',
      ],
    );
    assert.deepEqual(drawn([]), []);
  });

  it('say how they are owned, and how they have ended', () => {
    const both = { agents: ['claude', 'codex'], claimed: true };
    const ended = (exitCode?: number) => ({
      handedOver: true,
      owner: ofClaude(),
      end: { at: NOW, exitCode },
    });
    assert.deepEqual(
      drawn([
        sighting('marked', { owner: both }),
        sighting('vim', { kind: 'job' }),
        sighting('renamed'),
        sighting('failed', ended(3)),
        sighting('stopped', ended()),
      ]).slice(1),
      [
        ' marked | claimed: Claude Code or Codex · 5 m · seen',
        ' vim | you · 5 m · seen',
        ' renamed | owner unknown · 5 m · seen',
        ' failed | Claude Code · exit 3 · handed over',
        ' stopped | Claude Code · ended, exit code unknown · handed over',
      ],
    );
  });

  it('show a command of a terminal once, and an agent there as an agent', () => {
    assert.deepEqual(
      drawn(
        [sighting('vim', { kind: 'job', sid: 11 }), sighting('claude', { kind: 'agent', sid: 12 })],
        [
          inShell('1', 'vim a', 11),
          inShell('2', 'claude', 12),
          inShell('3', 'ls', 12, { end: { at: NOW, exitCode: 0 } }),
        ],
      ).slice(1),
      [` claude | 0 commands · pid ${pids}`, ' vim a | you · 5 m · seen', ' ls | you · exit 0 · seen'],
    );
  });

  it('are read aloud in whole words, and can be stopped while they run if they have a process', () => {
    const ended = { handedOver: true, end: { at: NOW } };
    const [server, over] = [
      sighting('server', { owner: ofClaude(), ports: [80, 81] }),
      sighting('over', ended),
    ];
    const rows = sightingTree([server, over], [inShell('1', 'vim', 11)], NOW, english);
    assert.deepEqual(
      [`${server.pid} 5`, `${over.pid} 5`, '1'].map((id) => {
        const row = rows.get(id);
        return [row?.accessibilityLabel, row?.contextValue];
      }),
      [
        ['server, Claude Code, 5 minutes, seen, listens at port 80, 81', ';sighting;live;'],
        ['over, owner unknown, ended, exit code unknown, handed over', ';sighting;'],
        ['vim, you, 5 minutes, seen', ';sighting;'],
      ],
    );
  });

  it('show text of others on one line, and their tooltip what cannot be read', () => {
    const nasty = sighting('a\nb\u202e[c](command:d)', { owner: { ...ofClaude(), conversation: '<b>`x`' } });
    assert.deepEqual(drawn([nasty])[1], ' a b [c](command:d) | Claude Code · 5 m · seen');
    assert.equal(
      sightingMarkdown(nasty, english, () => 'then'),
      [
        '```sh\na\nb\ufffd[c](command:d)\n```',
        '',
        [
          '**Directory**: not readable',
          '**Started**: then',
          '**Processes**: 1',
          '**Processor time**: not readable',
          '**Memory**: not readable',
          '**Ports**: not readable',
          '**Started by**: Claude Code',
          '**Conversation**: \\<b\\>\\`x\\`',
          `**Process**: ${nasty.pid}`,
        ].join('  \n'),
      ].join('\n'),
    );
  });
});
