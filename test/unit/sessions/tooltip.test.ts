import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { tooltipMarkdown } from '../../../src/sessions/words/tooltip.js';
import { closed, evictedOutput, MINUTE, snapshot, START } from './snapshots.js';

function tooltip(session: SessionSnapshot, previousLabel?: string): string {
  return tooltipMarkdown(session, {
    now: START + 10 * MINUTE,
    l10n: english,
    formatTime: (time) => new Date(time).toISOString(),
    previousLabel,
    keepHours: 12,
  });
}

/** The text without the backslashes, which Markdown does not show. */
const read = (markdown: string): string => markdown.replace(/\\(.)/g, '$1');

describe('the tooltip of a session', () => {
  it('says everything that is known', () => {
    const text = read(
      tooltip(
        {
          ...closed({ exitCode: 1 }),
          title: 'Tests',
          output: evictedOutput(3 * 1024 * 1024, 2 * 1024 * 1024),
          origin: { kind: 'agent', name: 'Codex' },
          previousId: 'zero',
        },
        'npm test (first)',
      ),
    );
    for (const expected of [
      '**Tests**\n\n**Status**: exited with code 1, 8 minutes ago\n\n```sh\nnpm test\n```',
      '**Arguments**: ["npm","test"]',
      '**Directory**: /home/me/project',
      '**Runs**: in a terminal',
      '**Process**: 123',
      '**Started**: 2026-01-15T12:00:00.000Z',
      '**Ended**: 2026-01-15T12:02:00.000Z, after 2 m',
      '**Output**: 3.0 MiB; the oldest 2.0 MiB are no longer kept',
      '**Started by**: the agent Codex',
      '**Repeats**: npm test (first)',
    ]) {
      assert.ok(text.includes(expected), `${expected}\nis missing in\n${text}`);
    }
  });

  it('says who controls the session of an agent, and how that is changed', () => {
    const origin = { kind: 'agent', name: 'Codex' } as const;
    const text = read(tooltip(snapshot({ origin, controller: 'agent' })));
    assert.ok(text.includes('**Controlled by**: the agent Codex; Take Control lets you type'), text);
    const taken = read(tooltip(snapshot({ origin, controller: 'person' })));
    assert.ok(taken.includes('**Controlled by**: you; Give Back Control lets the agent Codex type'), taken);
    assert.ok(!read(tooltip(snapshot())).includes('Controlled'));
    assert.ok(!read(tooltip({ ...closed({ exitCode: 0 }), controller: 'agent' })).includes('Controlled'));
  });

  it('says where it runs if that is not this machine, and what never arrived from there', () => {
    const output = { ...evictedOutput(100, 10), missing: { chunks: 3, bytes: 2048 } };
    const text = read(tooltip(snapshot({ environment: { id: 'build', label: 'Build machine' }, output })));
    assert.ok(text.includes('**Environment**: Build machine'), text);
    assert.ok(
      text.includes(
        '**Output**: 100 bytes; the oldest 10 bytes are no longer kept; 2.0 KiB or more never arrived here',
      ),
      text,
    );
    assert.ok(!tooltip(snapshot()).includes('Environment'));
    const other = snapshot({ origin: { kind: 'other' } });
    assert.ok(read(tooltip(other)).includes('**Started by**: another program'));
    const demo = snapshot({ origin: { kind: 'user', name: 'the demo' } });
    assert.ok(read(tooltip(demo)).includes('**Started by**: the demo'));
  });

  it('names the sandbox that it runs in, and what that has refused', () => {
    const sandbox = { places: [{ path: '/srv/*web*', access: 'write' }], network: true } as const;
    const text = tooltip({ ...closed({ exitCode: 1, refused: {} }), sandbox });
    assert.match(read(text), /^\*\*Status\*\*: exited with code 1, refused by the sandbox, 8 minutes ago/);
    assert.match(text, /\*\*Sandbox\*\*: writes to \\\*web\\\*, with network/);
  });

  it('leaves out what is not known yet', () => {
    const text = read(tooltip(snapshot()));
    assert.ok(!text.includes('Ended'));
    assert.ok(!text.includes('Repeats'));
    assert.ok(text.includes('**Started by**: you'));
    assert.ok(text.includes('**Output**: 0 bytes'));
  });

  it('says that a repeated session is gone', () => {
    assert.ok(
      read(tooltip(snapshot({ previousId: 'zero' }))).includes('**Repeats**: a session that was removed'),
    );
  });

  it('shows a hostile command line as text, not as Markdown', () => {
    const evil = '```\n[click](command:evil) <img src=x> **bold** $(zap)';
    const text = tooltip(
      snapshot({
        commandLine: evil,
        argv: [evil],
        title: evil,
        cwd: '/[a](b)',
        origin: { kind: 'agent', name: evil },
      }),
    );
    const fence = /^(`{3,})sh\n([\s\S]*?)\n\1$/m.exec(text);
    assert.equal(fence?.[2], evil, 'the block holds all of it');
    const outside = text.replace(fence[0], '');
    assert.ok(!/(?<!\\)\]\(/.test(outside), `a link in ${outside}`);
    assert.ok(!/(?<!\\)</.test(outside), `HTML in ${outside}`);
    assert.ok(!/(?<!\\)\$\(/.test(outside), `an icon in ${outside}`);
    assert.ok(!/(?<!\\)`/.test(outside), `code in ${outside}`);
  });

  it('shows a command line in the order in which it is run', () => {
    const commandLine = 'echo \u202egnihton\u202c\u200b\n\tdone';
    const text = tooltip(snapshot({ commandLine, argv: [commandLine], title: '\u2067t', cwd: '/\u202e' }));
    assert.ok(text.includes('echo \ufffdgnihton\ufffd\ufffd\n\tdone'), text);
    assert.doesNotMatch(text, /[\u200b\u202a-\u202e\u2066-\u2069]/);
  });
});
