import assert from 'node:assert/strict';

import { type HeldProcess, ProcessLog, ProcessRegistry } from '../../../../src/core/index.js';
import { assertRejects } from '../../../support/assertRejects.js';
import { FakeClock } from '../../../support/fakeClock.js';
import { cutOff } from '../../../support/failures.js';

const RETENTION_MS = 1_000;
const refuse = () => assert.fail('The registry asks for nothing of the kind.');

class FakeProcess implements HeldProcess {
  readonly processId: string;
  readonly log = new ProcessLog({ limits: { bytes: 1_000, chunks: 10 }, clock: new FakeClock() });
  held = false;
  owned = false;

  readonly info = refuse;
  readonly write = refuse;
  readonly closeStdin = refuse;
  readonly resize = refuse;
  readonly inputMode = refuse;
  readonly inputWait = refuse;
  readonly signal = refuse;
  readonly terminate = refuse;
  readonly stop = refuse;
  readonly survivors = refuse;
  readonly listeners = refuse;
  readonly usage = refuse;
  readonly endSurvivor = refuse;
  readonly describe = refuse;
  readonly startedWith = refuse;
  readonly view = refuse;
  readonly readKept = refuse;
  readonly seqBefore = refuse;
  readonly hold = refuse;

  constructor(processId: string) {
    this.processId = processId;
  }

  close(): this {
    this.log.appendExit({ exitCode: 0 });
    this.log.appendClose();
    return this;
  }
}

function setUp() {
  const clock = new FakeClock();
  const seen: string[] = [];
  const registry = new ProcessRegistry<FakeProcess>({
    retentionMs: RETENTION_MS,
    clock,
    onEnd: ({ processId }) => seen.push(`end ${processId}`),
    onForget: ({ processId }) => seen.push(`forget ${processId}`),
  });
  registry.onDidChange(({ type, processId }) => seen.push(`${type} ${processId}`));
  return { clock, registry, seen };
}

/** A start that waits until the test lets it continue. */
function slowStart(registry: ProcessRegistry<FakeProcess>, processId = 'a') {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const done = registry.start(processId, async (cancelled) => {
    await gate;
    cancelled.throwIfAborted();
    registry.add(new FakeProcess(processId));
  });
  return { done, goOn: () => goOn() };
}

describe('ProcessRegistry', () => {
  describe('a start', () => {
    it('holds its id from the beginning on', async () => {
      const { registry } = setUp();
      const first = slowStart(registry);
      assert.equal(registry.get('a')?.state, 'starting');
      assert.deepEqual(registry.started, []);
      await assertRejects(
        registry.start('a', () => assert.fail('started twice')),
        -32600,
        /exists/,
      );
      first.goOn();
      await first.done;
      assert.equal(registry.get('a')?.state, 'started');
      await assert.rejects(registry.start('a', () => assert.fail('started twice')));
    });

    it('gives the id back if it fails', async () => {
      const { registry, seen } = setUp();
      await assert.rejects(
        registry.start('a', () => Promise.reject(new Error('no such program'))),
        /no such program/,
      );
      assert.equal(registry.get('a'), undefined);
      assert.deepEqual(seen, []);
    });

    it('is told when it is cancelled, and its id is free once it has come to nothing', async () => {
      const { registry } = setUp();
      const start = slowStart(registry);
      const known = registry.get('a');
      assert.ok(known?.state === 'starting');
      known.cancel();
      known.cancel();
      assert.equal(registry.get('a'), known);
      start.goOn();
      await assert.rejects(start.done, { name: 'AbortError' });
      assert.equal(registry.get('a'), undefined);
    });

    it('can be cancelled with all others, and leaves what is started', async () => {
      const { registry } = setUp();
      const ready = new FakeProcess('ready');
      registry.add(ready);
      const starts = [slowStart(registry, 'a'), slowStart(registry, 'b')];
      const finished = registry.cancelStarts();
      assert.equal(finished.length, 2);
      starts.forEach(({ goOn }) => goOn());
      await Promise.all(finished);
      assert.deepEqual([registry.get('a'), registry.get('b')], [undefined, undefined]);
      assert.deepEqual(registry.started, [ready]);
      await Promise.allSettled(starts.map(({ done }) => done));
    });
  });

  describe('a process that has ended', () => {
    it('is forgotten when its time is over, counted from its end', () => {
      const { clock, registry, seen } = setUp();
      const process = new FakeProcess('a');
      registry.add(process);
      clock.advance(RETENTION_MS);
      registry.changed(process.close());
      clock.advance(RETENTION_MS - 1);
      registry.changed(process);
      assert.equal(registry.get('a')?.state, 'started');
      clock.advance(1);
      assert.equal(registry.get('a'), undefined);
      assert.deepEqual(seen, [
        'added a',
        'changed a',
        'changed a',
        'end a',
        'changed a',
        'forget a',
        'removed a',
      ]);
    });

    it('lets its time run even if it ended before it was listed, or is lost', () => {
      const { clock, registry } = setUp();
      registry.add(new FakeProcess('ended').close());
      const lost = new FakeProcess('lost');
      registry.add(lost);
      lost.log.fail(cutOff('the connection is lost'));
      registry.changed(lost);
      clock.advance(RETENTION_MS);
      assert.deepEqual(registry.started, []);
    });

    it('stays while somebody holds it, and goes when the last has let go', () => {
      const { clock, registry } = setUp();
      const process = new FakeProcess('a');
      process.held = true;
      registry.add(process.close());
      clock.advance(RETENTION_MS);
      assert.deepEqual(registry.started, [process]);
      process.held = false;
      registry.released(process);
      assert.deepEqual(registry.started, []);
    });

    it('stays when somebody lets go of it before its time is over', () => {
      const { registry } = setUp();
      const process = new FakeProcess('a');
      registry.add(process.close());
      registry.released(process);
      assert.deepEqual(registry.started, [process]);
    });

    it('does not affect a newer process with the same id', () => {
      const { clock, registry } = setUp();
      const first = new FakeProcess('a');
      registry.add(first.close());
      clock.advance(RETENTION_MS);
      const second = new FakeProcess('a');
      registry.add(second);
      registry.changed(first);
      registry.released(first);
      registry.forget(first);
      clock.advance(RETENTION_MS);
      assert.deepEqual(registry.started, [second]);
    });
  });

  it('forgets everything in the end, and leaves no timer', () => {
    const { clock, registry, seen } = setUp();
    const process = new FakeProcess('a');
    registry.add(process.close());
    seen.length = 0;
    registry.dispose();
    assert.deepEqual(seen, ['forget a', 'removed a']);
    assert.equal(clock.pendingTimers, 0);
    registry.add(new FakeProcess('b'));
    assert.deepEqual(seen, ['forget a', 'removed a']);
  });
});
