import assert from 'node:assert/strict';

import { type ProcessInfo, Semaphore } from '../../../src/core/index.js';
import { AnswerBudget, LARGE_ANSWERS_BYTES } from '../../../src/server/methods/answerBudget.js';
import { pageOfList } from '../../../src/server/methods/processList.js';
import { describeProcess } from '../../../src/server/sessions/processDescription.js';
import { FakeConnection } from './connectionContext.js';

/** Two of these fit into a page. */
const COMMAND = 'x'.repeat(3_500_000);

describe('the list of processes in pages', () => {
  it('has each process once, the oldest first, whatever comes and goes between two pages', async () => {
    let there = [5, 1, 4, 2, 3].map((startedAt) => processAt(startedAt));
    const first = await page('', there);
    assert.deepEqual(first.handles, ['h1', 'h2']);
    // The last one of the page is gone, and there is a new one.
    there = [...there.filter(({ processId }) => processId !== 'h2'), processAt(6)];
    const second = await page(first.next ?? '', there);
    assert.deepEqual(second.handles, ['h3', 'h4']);
    const third = await page(second.next ?? '', there);
    assert.deepEqual(third, { handles: ['h5', 'h6'], next: undefined });
  });

  it('tells processes of one moment apart', async () => {
    const there = ['c', 'a', 'b'].map((handle) => processAt(7, handle));
    const first = await page('', there);
    const second = await page(first.next ?? '', there);
    assert.deepEqual([...first.handles, ...second.handles], ['a', 'b', 'c']);
    assert.equal(second.next, undefined);
  });

  it('is empty where there is nothing', async () => {
    assert.deepEqual(await page('', []), { handles: [], next: undefined });
    assert.deepEqual(await page('9 h9', [processAt(1)]), { handles: [], next: undefined });
  });

  it('has a page for a process that is larger than one', async () => {
    const large = { ...processAt(2), argv: [COMMAND, COMMAND, COMMAND] };
    const there = [processAt(1), large, processAt(3)];
    const first = await page('', there);
    const second = await page(first.next ?? '', there);
    const third = await page(second.next ?? '', there);
    assert.deepEqual([first.handles, second.handles, third.handles], [['h1'], ['h2'], ['h3']]);
  });

  it('refuses an unknown place', async () => {
    for (const after of ['x', ' h1', 'NaN h1']) {
      await assert.rejects(page(after, []), /"after" is wrong/);
    }
  });
});

const room = new Semaphore(LARGE_ANSWERS_BYTES);
const shared = { all: room, large: room };

async function page(after: string, infos: readonly ProcessInfo[]) {
  const describe = (info: ProcessInfo) => describeProcess(info, undefined, 'none');
  const look = () => Promise.resolve({ infos, describe });
  const { processes, next } = await pageOfList(after, look, new AnswerBudget(new FakeConnection(), shared));
  return { handles: processes.map(({ handle }) => handle), next };
}

function processAt(startedAt: number, processId = `h${startedAt}`): ProcessInfo {
  return {
    processId,
    argv: [COMMAND],
    cwd: '/',
    tty: false,
    pipeStdin: false,
    state: 'running',
    startedAt,
    output: {
      bytes: 0,
      chunks: 0,
      retainedBytes: 0,
      evicted: { bytes: 0, chunks: 0, throughSeq: 0 },
      lastSeq: 0,
      missing: { chunks: 0, bytes: 0 },
    },
    metadata: {},
  };
}
