import assert from 'node:assert/strict';

import { startTimeOf } from '../../../../src/local/marks/processTable.js';
import {
  holderOf,
  isOfAnotherBoot,
  markIn,
  SessionMarks,
  withoutMark,
} from '../../../../src/local/marks/sessionMark.js';

const markOf = (...variables: string[]) => markIn(Buffer.from(variables.map((each) => `${each}\0`).join('')));

describe('The mark of a session', () => {
  it('is found among the variables of a process, wherever it is', () => {
    assert.equal(markOf('EXEC_SESSION_ID=a/1', 'B=2'), 'a/1');
    assert.equal(markOf('B=2', 'EXEC_SESSION_ID=a/1'), 'a/1');
    assert.equal(markOf('A=1', 'EXEC_SESSION_ID=a/1', 'B=2'), 'a/1');
    assert.equal(markIn(Buffer.from('A=1\0EXEC_SESSION_ID=a/1')), 'a/1');
  });

  it('is only a variable of exactly that name', () => {
    const others = [
      'NOT_EXEC_SESSION_ID=a/1',
      'EXEC_SESSION_IDS=a/1',
      'A= EXEC_SESSION_ID=a/1',
      'exec_session_id=a',
    ];
    assert.equal(markOf(...others), undefined);
    assert.equal(markOf(), undefined);
  });

  it('differs for each session and each backend', () => {
    const [one, other] = [new SessionMarks(), new SessionMarks()];
    assert.equal(new Set([one.next(), one.next(), other.next(), other.next()]).size, 4);
  });

  it('names the process that has given it out, if its number means something here', () => {
    const mark = new SessionMarks().next();
    const holder = { pid: process.pid, startTime: startTimeOf(process.pid) };
    assert.deepEqual(holderOf(mark), holder.startTime === undefined ? undefined : holder);
    assert.equal(holderOf(`${mark}0`), undefined);
    assert.equal(holderOf('b7c0ad1e-0000-4000-8000-000000000000/1'), undefined);
  });

  it('is of no process here that was given out before the machine was started', () => {
    const mark = new SessionMarks().next();
    const boot = /[\da-f-]{36}(?=\.)/.exec(mark)?.[0];
    if (boot !== undefined) {
      const earlier = mark.replace(boot, boot.replaceAll(/\d/g, '0'));
      assert.deepEqual([holderOf(earlier), isOfAnotherBoot(earlier)], [undefined, true]);
      assert.equal(isOfAnotherBoot(mark), false);
    }
  });

  it('is taken from the variables of programs of ours', () => {
    const host = { A: '1', EXEC_SESSION_ID: 'outer/1' };
    assert.deepEqual([withoutMark(host), host.EXEC_SESSION_ID], [{ A: '1' }, 'outer/1']);
  });
});
