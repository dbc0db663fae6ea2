import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { isFailure } from '../../../src/sessions/words/status.js';
import { sessionRow } from '../../../src/sessions/words/rows.js';
import { tooltipMarkdown } from '../../../src/sessions/words/tooltip.js';
import { closed, MINUTE, snapshot, START } from './snapshots.js';

describe('How long a session goes on without a window', () => {
  const LATER = START + 10 * MINUTE;
  const ofAgent = snapshot({
    origin: { kind: 'agent', name: 'Codex' },
    controller: 'agent',
    owned: true,
  });
  const row = (session: SessionSnapshot) => sessionRow(session, LATER, english);
  const tooltip = (session: SessionSnapshot, keepHours = 12) =>
    tooltipMarkdown(session, { now: LATER, l10n: english, formatTime: String, keepHours }).replace(
      /\\(.)/g,
      '$1',
    );

  it('is in the row of one of an agent that is kept, and in the tooltips of all', () => {
    const kept = { ...ofAgent, keep: true } as const;
    assert.equal(row(ofAgent).description, '10 m · agent');
    assert.equal(row(kept).description, '10 m · agent · kept running');
    assert.match(
      row(kept).accessibilityLabel,
      /; an agent controls it; it is kept running without a window$/,
    );
    assert.match(
      tooltip(ofAgent),
      /Without a window\*\*: ends after ten minutes, unless you choose Keep Running/,
    );
    const own = snapshot({ owned: true });
    for (const session of [kept, own]) {
      assert.match(tooltip(session), /Without a window\*\*: keeps running for 12 hours/);
    }
    assert.match(tooltip(own, 0.5), /: keeps running for 0\.5 hours/);
    assert.match(tooltip(own, 0), /: ends after two minutes/);
    assert.match(tooltip(own, -1), /Without a window\*\*: keeps running(\n|  |$)/);
    assert.ok(!tooltip(snapshot()).includes('Without a window'), 'it ends with the window');
  });

  it('can be chosen for running ones of agents that outlive the window', () => {
    const flags = (session: SessionSnapshot) =>
      row(session)
        .contextValue.split(';')
        .filter((flag) => flag === 'keepable' || flag === 'kept');
    assert.deepEqual(flags(ofAgent), ['keepable']);
    assert.deepEqual(flags({ ...ofAgent, keep: true }), ['kept']);
    assert.deepEqual(flags(snapshot({ owned: true })), [], 'one of a person');
    assert.deepEqual(flags({ ...ofAgent, ...closed({ exitCode: 0 }) }), []);
    assert.deepEqual(flags(snapshot({ origin: ofAgent.origin, controller: 'agent' })), []);
  });

  it('is the reason that an ended one names, which is no failure', () => {
    const ended: SessionSnapshot = {
      ...closed({ exitCode: 0, signal: 'SIGHUP' }),
      stopped: true,
      endedBy: { kind: 'keepWithoutClient', afterSeconds: 12 * 3_600 },
    };
    assert.equal(row(ended).description, 'ended 12 h after the last window · 8 m ago');
    assert.match(
      tooltip(ended),
      /Status\*\*: was ended 12 hours after the last window had closed, 8 minutes ago/,
    );
    assert.ok(!isFailure(ended));
    const untold: SessionSnapshot = { ...ended, endedBy: { kind: 'keepWithoutClient' } };
    assert.equal(row(untold).description, 'ended without a window · 8 m ago');
  });
});
