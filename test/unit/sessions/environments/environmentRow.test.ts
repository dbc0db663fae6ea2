import assert from 'node:assert/strict';

import { english } from '../../../../src/core/index.js';
import { environmentFlags, environmentRow } from '../../../../src/sessions/environments/environmentRow.js';
import type { EnvironmentSnapshot } from '../../../../src/sessions/list/environment.js';

const CUT = { kind: 'ended', ended: 'cut' } as const;

const server: EnvironmentSnapshot = {
  id: 'build',
  label: 'Build machine',
  kind: 'websocket',
  target: 'ws://127.0.0.1:1',
  state: { kind: 'connected' },
  removed: false,
};

const row = (some: Partial<EnvironmentSnapshot>, now = 0) =>
  environmentRow({ ...server, ...some }, now, english);

describe('the row of an environment', () => {
  it('says how things stand', () => {
    const recovering = { kind: 'recovering', reason: CUT, since: 0, until: 45_000 } as const;
    assert.equal(row({}).description, 'connected');
    assert.equal(row({ state: { kind: 'disconnected' } }).description, 'not connected');
    assert.equal(row({ state: { kind: 'connecting' } }).description, 'connecting…');
    assert.equal(row({ state: recovering }, 5_000).description, 'recovering · 40 s left');
    assert.equal(
      row({ state: { kind: 'lost', reason: { kind: 'ended', ended: 'no\nanswer' } } }).description,
      'lost: no answer',
    );
    assert.equal(row({ removed: true }).description, 'connected · not in the settings any more');
    assert.equal(row({ id: 'local', kind: 'local' }).description, '');
  });

  it('is heard without the seconds', () => {
    const at = (now: number) =>
      row({ state: { kind: 'recovering', reason: CUT, since: 0, until: 9_000 } }, now).accessibilityLabel;
    assert.equal(at(0), 'Build machine, environment, the connection is being restored: cut');
    assert.equal(at(5_000), at(0));
    assert.equal(
      row({ removed: true }).accessibilityLabel,
      'Build machine, environment, connected, not in the settings any more',
    );
  });

  it('tells menus what can be done with it', () => {
    const flags = (some: Partial<EnvironmentSnapshot>) => environmentFlags({ ...server, ...some }).join(' ');
    assert.equal(flags({}), 'environment disconnectable startable token');
    assert.equal(flags({ state: { kind: 'disconnected' } }), 'environment connectable startable token');
    assert.equal(
      flags({ kind: 'command', state: { kind: 'connecting' } }),
      'environment disconnectable startable',
    );
    assert.equal(
      flags({ state: { kind: 'lost', reason: { kind: 'ended', ended: '' } } }),
      'environment connectable startable token',
    );
    assert.equal(flags({ removed: true }), 'environment disconnectable startable');
    assert.equal(flags({ removed: true, state: { kind: 'disconnected' } }), 'environment');
    assert.equal(flags({ kind: 'local' }), 'environment startable');
  });

  it('has all of the reason in its tooltip', () => {
    const { description, tooltip } = row({
      state: { kind: 'lost', reason: { kind: 'ended', ended: `${'so '.repeat(40)}end` } },
    });
    assert.doesNotMatch(description, /end/);
    assert.match(tooltip, /so end/);
  });

  it('shows hostile words as words', () => {
    const { tooltip, label } = row({ label: '[a](command:x)\n$(zap)', target: '```\n[x](y)' });
    assert.equal(label, '[a](command:x) $(zap)');
    assert.ok(!/(?<!\\)\]\(/.test(tooltip.split('````')[0] ?? ''), tooltip);
  });
});
