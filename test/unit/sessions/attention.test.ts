import assert from 'node:assert/strict';

import { english } from '../../../src/core/index.js';
import { attention, attentionText, endSentence, hasFailed } from '../../../src/sessions/words/index.js';
import { snapshot } from './snapshots.js';

describe('The news for people', () => {
  const running = snapshot({ state: 'running' });
  const waiting = snapshot({ state: 'running', waitsForPerson: 'secret' });
  const failed = snapshot({ state: 'closed', exitedAt: 3_000, startedAt: 1_000, exit: { exitCode: 3 } });
  const done = snapshot({ state: 'closed', exit: { exitCode: 0 } });

  it('is what waits, then what runs, and nothing that has ended', () => {
    const found = attention([running, waiting, failed, running]);
    assert.deepEqual(found, { waiting: [waiting], running: [running, running] });
    assert.equal(attentionText(found, english), 'One session waits for you; 2 sessions are running');
    assert.equal(attentionText(attention([running]), english), 'One session is running');
    assert.equal(attentionText(attention([waiting, waiting]), english), '2 sessions wait for you');
    assert.equal(attentionText(attention([failed, done]), english), '');
  });

  it('counts a question as a secret', () => {
    const asking = snapshot({ asks: { question: 'Proceed?', since: 5 } });
    assert.deepEqual(attention([asking, running, waiting]).waiting, [asking, waiting]);
  });

  it('is how a session has ended', () => {
    assert.equal(endSentence(failed, english), '"npm test" exited with code 3 after 2 s.');
    assert.match(
      endSentence({ ...failed, exit: { exitCode: 143, signal: 'SIGTERM' } }, english),
      /was ended by SIGTERM after 2 s\.$/,
    );
    const unknown = snapshot({ state: 'closed' });
    assert.match(endSentence({ ...unknown, state: 'lost' }, english), /^"npm test" was lost: /);
    assert.deepEqual([failed, done, running].map(hasFailed), [true, false, false]);
  });
});
