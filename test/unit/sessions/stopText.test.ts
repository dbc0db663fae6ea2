import assert from 'node:assert/strict';
import { english, type ExitStatus, type StopReport } from '../../../src/core/index.js';
import { stopText, type StopText } from '../../../src/sessions/words/stopText.js';

const ENDED: StopReport = { running: true, steps: ['interrupt'], exited: true, survivors: [] };

const text = (report: Partial<StopReport>, cancelled = false): StopText =>
  stopText('npm run dev', { ...ENDED, ...report }, { asked: 'stop', cancelled, l10n: english });

describe('what is said about a stop', () => {
  it('is quiet when all went well', () => {
    assert.deepEqual(text({}), { kind: 'done', text: 'Stopped "npm run dev": it was interrupted.' });
    assert.deepEqual(text({ steps: ['interrupt', 'hangup', 'terminate', 'kill'] }), {
      kind: 'done',
      text: 'Stopped "npm run dev": it was killed.',
    });
    assert.deepEqual(text({ running: false, steps: [] }), {
      kind: 'done',
      text: '"npm run dev" had already ended.',
    });
  });

  it('says what a server cannot know, and does not call that a success without saying so', () => {
    const report = { running: true, steps: ['interrupt', 'kill'], exited: true, survivors: [] } as const;
    const said = (some: Partial<StopReport>) =>
      stopText('x', { ...report, ...some }, { asked: 'stop', cancelled: false, blind: true, l10n: english })
        .text;
    assert.equal(said({}), 'Stopped "x": it was killed. Its server cannot tell whether processes are left.');
    assert.equal(said({ running: false, steps: [] }), '"x" had already ended.');
  });

  it('says where the machine does not list its processes', () => {
    assert.deepEqual(text({ survivorsUnknown: true }), {
      kind: 'done',
      text: 'Stopped "npm run dev": it was interrupted. Leftover processes cannot be found: the processes of its machine cannot be listed now.',
    });
  });

  it('tells the kill of what was left behind from that of the session', () => {
    const killed = (exit: ExitStatus) =>
      stopText(
        'x',
        { ...ENDED, steps: ['hangup', 'kill'] },
        { asked: 'stop', cancelled: false, exit, l10n: english },
      ).text;
    assert.equal(
      killed({ exitCode: 129, signal: 'SIGHUP' }),
      'Stopped "x". Its leftover processes had to be killed.',
    );
    assert.equal(killed({ exitCode: 137, signal: 'SIGKILL' }), 'Stopped "x": it was killed.');
  });

  it('says that a kill was a kill', () => {
    const said = stopText(
      'x',
      { ...ENDED, steps: ['kill'] },
      { asked: 'kill', cancelled: false, l10n: english },
    );
    assert.deepEqual(said, { kind: 'done', text: 'Killed "x".' });
  });

  it('names those that were not reached', () => {
    assert.deepEqual(
      text({
        survivors: [
          { pid: 7, startTime: '5', command: 'node', why: 'otherSession' },
          { pid: 8, startTime: '5', command: '[x](y)', why: 'otherSession' },
        ],
      }),
      {
        kind: 'warning',
        text:
          'Stopped "npm run dev": it was interrupted. 2 processes had detached themselves (setsid) and still run: ' +
          'node (pid 7), [x] (y) (pid 8).',
      },
    );
    const one = text({ survivors: [{ pid: 7, startTime: '5', command: 'node', why: 'otherSession' }] });
    assert.match(one.text, /One process had detached itself \(setsid\) and still runs: node \(pid 7\)\./);
  });

  it('names those that live on, a few of many', () => {
    const survivors = Array.from({ length: 7 }, (_, index) => ({
      pid: index,
      startTime: '5',
      command: 'sleep',
      why: 'stillRunning' as const,
    }));
    const { kind, text: said } = text({ exited: false, steps: ['kill'], survivors });
    assert.equal(kind, 'warning');
    assert.match(said, /was told to end, but still runs\. 7 processes did not end: .*\(pid 4\), 2 more\./);
  });

  it('says that a cancelled stop has sent something', () => {
    assert.deepEqual(
      text(
        { exited: false, survivors: [{ pid: 1, startTime: '5', command: 'x', why: 'stillRunning' }] },
        true,
      ),
      {
        kind: 'warning',
        text: 'Stopping "npm run dev" was cancelled after this step: it was interrupted.',
      },
    );
  });
});
