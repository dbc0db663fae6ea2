import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import type { BatchRest } from '../../../src/sessions/tree/batches.js';
import { treeChange } from '../../../src/sessions/tree/treeChange.js';
import { TreeIndex } from '../../../src/sessions/tree/treeIndex.js';
import { treeModel } from '../../../src/sessions/tree/treeModel.js';
import { closed, snapshot, START } from './snapshots.js';

const on = (label: string, some: Partial<SessionSnapshot> = {}): SessionSnapshot =>
  snapshot({
    ...{ id: label, environment: { id: `hosts/${label}`, label }, commandLine: 'uptime', batch: 'b1' },
    ...some,
  });
const ended = (label: string, exitCode: number, some: Partial<SessionSnapshot> = {}): SessionSnapshot => ({
  ...closed({ exitCode }),
  ...on(label),
  ...{ state: 'closed', exit: { exitCode } },
  ...some,
});

const model = (sessions: readonly SessionSnapshot[], batches: readonly BatchRest[] = []) =>
  treeModel(sessions, START, english, { batches });

const drawn = (sessions: readonly SessionSnapshot[], batches: readonly BatchRest[] = []) =>
  model(sessions, batches)
    .groups.filter(({ kind }) => kind === 'batch')
    .flatMap(({ label, description, flags, rows }) => [
      `${label}: ${description} (${flags?.join() ?? ''})`,
      ...rows.map((row) => `  ${row.label}`),
    ]);

const rest = (waiting: number, failures: Readonly<Record<string, string>> = {}): BatchRest => ({
  ...{ id: 'b1', title: 'uptime', waiting },
  failures: new Map(Object.entries(failures).map(([label, reason]) => [`hosts/${label}`, { label, reason }])),
});

describe('the row of a batch', () => {
  it('tells how its sessions stand, which are below it under the names of their machines', () => {
    const sessions = [ended('web-1', 0), on('web-2'), ended('web-3', 1), ended('web-4', 0)];
    assert.deepEqual(drawn(sessions), [
      'uptime: 2 of 4 exit 0, 1 running, 1 failed (failed,going)',
      ...['web-1', 'web-2', 'web-3', 'web-4'].map((name) => `  ${name}`),
    ]);
    assert.deepEqual(
      model(sessions).groups.map(({ kind }) => kind),
      ['batch'],
      'its sessions stand nowhere else',
    );
    assert.deepEqual(drawn([ended('a', 0)])[0], 'uptime: 1 of 1 exit 0 ()');
  });

  it('counts a loss and a signal as failures', () => {
    const killed = ended('a', 0, { exit: { exitCode: 137, signal: 'SIGKILL' } });
    assert.match(drawn([killed, on('b', { state: 'lost' })])[0] ?? '', /^uptime: 0 of 2 exit 0, 2 failed/);
  });

  it('has a row for a machine without a session, with the reason, and counts those that wait', () => {
    const batches = [rest(3, { 'web-9': 'Connection refused' })];
    const tree = model([on('web-1')], batches);
    assert.deepEqual(drawn([on('web-1')], batches), [
      'uptime: 0 of 5 exit 0, 1 running, 3 waiting, 1 failed (failed,going)',
      '  web-1',
      '  web-9',
    ]);
    const row = new TreeIndex(tree).row('note:b1/hosts/web-9');
    assert.deepEqual([row?.label, row?.description], ['web-9', 'Connection refused']);
    assert.equal(drawn([], batches)[0], 'uptime: 0 of 4 exit 0, 3 waiting, 1 failed (failed,going)');
  });

  it('counts the retry in place of the session that failed, which goes where ended sessions are', () => {
    const sessions = [
      ended('web-1', 1),
      on('web-2'),
      ended('web-1', 0, { id: 'again', previousId: 'web-1' }),
    ];
    assert.deepEqual(drawn(sessions), ['uptime: 1 of 2 exit 0, 1 running (going)', '  web-2', '  web-1']);
    const closedGroup = model(sessions).environments.flatMap(({ groups }) =>
      groups.map(({ rows }) => rows[0]?.id),
    );
    assert.deepEqual(closedGroup, ['web-1']);
  });

  it('shows no failure of a retry beside the session that it was to repeat', () => {
    assert.deepEqual(drawn([ended('web-1', 1)], [rest(0, { 'web-1': 'refused' })]), [
      'uptime: 0 of 1 exit 0, 1 failed (failed)',
      '  web-1',
    ]);
  });

  it('stands for each batch, the newest first', () => {
    const sessions = [on('a'), on('b', { batch: 'b2', commandLine: 'df' })];
    assert.deepEqual(drawn(sessions), [
      ...['df: 0 of 1 exit 0, 1 running (going)', '  b'],
      ...['uptime: 0 of 1 exit 0, 1 running (going)', '  a'],
    ]);
  });

  it('is drawn again when one of its sessions ends', () => {
    const change = treeChange(model([on('a'), on('b')]), model([on('a'), ended('b', 0)]));
    assert.deepEqual(change, { all: false, engines: [], environments: [], groups: ['batch/b1'], rows: [] });
  });
});
