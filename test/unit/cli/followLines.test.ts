import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';

import { type ExecEvent, type ExecProcess } from '../../../src/core/index.js';
import { followLines } from '../../../src/cli/sessions/followLines.js';
import { cutOff } from '../../support/failures.js';
import { FakeClock } from '../../support/fakeClock.js';
import { until } from '../../support/until.js';

/** A session whose output a test writes, and the lines that are followed until one contains `wanted`. */
function followed(wanted: string) {
  const clock = new FakeClock();
  const over = new AbortController();
  let listener: ((event: ExecEvent) => void) | undefined;
  let seq = 0;
  let units = 0;
  const process: Pick<ExecProcess, 'subscribe'> = {
    subscribe: (_, take) => {
      listener = take;
      return { state: 'live', acknowledge: () => undefined, hold: () => undefined, dispose: () => undefined };
    },
  };
  const result = followLines(clock, process, over.signal, (lines) => {
    units += lines.join('').length;
    return lines.find((line) => line.includes(wanted));
  });
  const send = (event: ExecEvent) => {
    listener?.(event);
    return setImmediate();
  };
  return {
    clock,
    over,
    result,
    send,
    write: (text: string) =>
      send({ type: 'output', seq: (seq += 1), stream: 'stdout', bytes: Buffer.from(text) }),
    /** The characters of all lines that were looked at. */
    get units() {
      return units;
    },
  };
}

describe('the lines of a session that is followed', () => {
  it('are looked at with work in proportion to the output, however small the pieces of a long line are', async () => {
    const unitsOf = async (pieces: number) => {
      const session = followed('end');
      for (let piece = 0; piece < pieces; piece += 1) {
        await session.write('=='.repeat(10));
      }
      session.over.abort();
      assert.equal(await session.result, undefined);
      return session.units;
    };
    const ratio = (await unitsOf(3_000)) / (await unitsOf(1_500));
    assert.ok(ratio < 2.3, `Twice the output takes ${ratio} times the work.`);
  });

  it('include one that goes on, once its program is silent', async () => {
    const session = followed('more>');
    await session.write(`${'x'.repeat(10_000)} mo`);
    await session.write('re> ');
    await until(() => session.clock.pendingTimers, 1);
    session.clock.advance(50);
    assert.match((await session.result) ?? '', /x more> $/);
  });

  it('include the last one when the output ends, and what came with it', async () => {
    const session = followed('last');
    await session.write(`first\n${'x'.repeat(5_000)}`);
    void session.write(' last');
    await session.send({ type: 'closed', seq: 9 });
    assert.match((await session.result) ?? '', /x last$/);
    const other = followed('more');
    await other.write('line\n');
    await other.send({ type: 'closed', seq: 9 });
    assert.equal(await other.result, undefined);
  });

  it('are followed no more when the session is lost', async () => {
    const session = followed('more');
    await session.write('line\n');
    const lost = assert.rejects(session.result, /gone for good/);
    await session.send({ type: 'failed', failure: cutOff('gone for good') });
    await lost;
  });
});
