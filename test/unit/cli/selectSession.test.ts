import assert from 'node:assert/strict';

import type { EndedReceipt } from '../../../src/core/index.js';
import type { CliError } from '../../../src/cli/exitCodes.js';
import type { CliSession } from '../../../src/cli/sessions/cliSession.js';
import { selectPast } from '../../../src/cli/sessions/pastSessions.js';
import { findSession } from '../../../src/cli/sessions/selectSession.js';
import { sampleReceipt } from '../../support/sampleReceipt.js';

const session = (id: string, number: number | undefined, title?: string) =>
  ({ id, number, title, commandLine: id, info: { state: 'running' } }) as CliSession;

describe('the session that a person means', () => {
  const sessions = [
    session('12345678-a', 3_841),
    session('38420000-b', 3_842, 'dev'),
    session('c0ffee00-c', undefined, '3841x'),
  ];
  const shadows = [session('aaaaaaaa-d', 3_843, '3841'), session('bbbbbbbb-e', 3_844, '12345678')];
  const found = (selector: string) => findSession(sessions, selector)?.id;

  it('has that id, title, number or beginning of an id', () => {
    assert.deepEqual(['c0ffee00-c', 'dev', '3841', 'c0f', '12345678', '3841x'].map(found), [
      'c0ffee00-c',
      '38420000-b',
      '12345678-a',
      'c0ffee00-c',
      '12345678-a',
      'c0ffee00-c',
    ]);
  });

  it('is not one whose id begins like the number of a session that has gone', () => {
    assert.deepEqual(['38', '3840', '123'].map(found), [undefined, undefined, undefined]);
    assert.equal(found('undefined'), undefined, 'one without a number');
  });

  it('is not hidden by a title that is its number or its id in the list', () => {
    for (const selector of ['3841', '12345678']) {
      assert.throws(
        () => findSession([...sessions, ...shadows], selector),
        (error: CliError) =>
          ['12345678', selector === '3841' ? 'aaaaaaaa' : 'bbbbbbbb'].every((id) =>
            error.list.some((line) => line.includes(`  ${id}  `)),
          ),
      );
    }
    assert.equal(findSession([...sessions, ...shadows], '12345678-a')?.id, '12345678-a');
    assert.equal(findSession([session('aaaaaaaa-d', 3_843, '3843')], '3843')?.number, 3_843);
  });

  it('is the same one after no server has it any more', () => {
    const receipts = [...sessions, ...shadows].map(({ id, number, title }): EndedReceipt => {
      const named = { ...(number !== undefined && { number }), ...(title !== undefined && { title }) };
      return { ...sampleReceipt(id), ...named, sessionId: id, end: { kind: 'lost', at: 0 } };
    });
    const past = (selector: string) =>
      selectPast({ kept: receipts, ended: receipts }, selector, 0)?.sessionId;
    for (const selector of ['c0ffee00-c', 'dev', '3842', 'c0f', '3841x', '38', '123', 'undefined']) {
      assert.equal(past(selector), found(selector), selector);
    }
    for (const selector of ['3841', '12345678']) {
      assert.throws(() => past(selector), /can be any of these sessions/);
    }
  });
});
