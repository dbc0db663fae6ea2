import assert from 'node:assert/strict';

import { type ExecEvent, ProcessLog } from '../../../../src/core/index.js';
import { OutputModes } from '../../../../src/terminal/outputModes.js';
import { utf8 } from '../../../support/bytes.js';

const WIDE = { columns: 80, rows: 24 };
const NARROW = { columns: 60, rows: 24 };
const MOUSE = '\u001b[?1000h';
const PASTE = '\u001b[?2004h';

async function told(log: ProcessLog): Promise<readonly string[]> {
  const events: ExecEvent[] = [];
  log.subscribe({}, (event) => events.push(event));
  await Promise.resolve();
  return events.map((event) => {
    switch (event.type) {
      case 'output':
        return `${event.size === undefined ? '' : `${event.size.columns}: `}${Buffer.from(event.bytes).toString()}`;
      case 'gap':
        return `gap ${event.modes ?? '?'}`;
      case 'exited':
      case 'closed':
      case 'failed':
        return event.type;
    }
  });
}

describe('The log of a terminal', () => {
  let log: ProcessLog;
  beforeEach(() => {
    log = new ProcessLog({ limits: { bytes: 10, chunks: 100 }, modes: new OutputModes() });
  });

  const print = (text: string) => log.appendOutput('pty', utf8(text));

  it('tells the size with the first output, and with the first output at another size', async () => {
    log.resized(WIDE);
    print('a');
    print('b');
    log.resized(WIDE);
    print('c');
    log.resized({ columns: 70, rows: 24 });
    log.resized(NARROW);
    print('d');
    print('e');
    assert.deepEqual(await told(log), ['80: a', 'b', 'c', '60: d', 'e']);
  });

  it('tells the size with the oldest output that is retained', async () => {
    log.resized(WIDE);
    print('1234');
    log.resized(NARROW);
    print('5678');
    print('90123456');
    assert.deepEqual(await told(log), ['gap ', '60: 90123456']);
    const { chunks, evicted } = await log.read();
    assert.deepEqual(
      chunks.map(({ size }) => size),
      [NARROW],
    );
    assert.equal(evicted?.modes, '');
  });

  it('tells the modes that evicted output has set, with the gap and in an answer', async () => {
    print(MOUSE);
    print(PASTE);
    print('text');
    assert.deepEqual(await told(log), [`gap ${MOUSE}${PASTE}`, 'text']);
    assert.equal((await log.read()).evicted?.modes, MOUSE + PASTE);
  });

  it('tells the modes of output that is too large to be kept', async () => {
    print(`${MOUSE} and more`);
    assert.deepEqual(await told(log), [`gap ${MOUSE}`]);
  });

  it('goes on from the modes after missing output', async () => {
    print(MOUSE);
    log.appendMissing(5, 100, PASTE);
    assert.deepEqual(await told(log), [MOUSE, `gap ${PASTE}`]);
    print('0123456789');
    print('abc');
    assert.deepEqual(await told(log), [`gap ${PASTE}`, 'abc']);
  });
});
