import assert from 'node:assert/strict';

import { systemClock, type StopStep } from '../../../../src/core/index.js';
import {
  climbStopLadder,
  type Look,
  type Member,
  type StopTarget,
} from '../../../../src/local/stop/stopLadder.js';

const member = (pid: number): Member => ({ pid, pgid: pid, startTime: '1', command: `process ${pid}` });

interface ScriptedLook {
  readonly members: readonly number[];
  readonly outside?: readonly number[];
  /** Members of an earlier look that are gone. */
  readonly gone?: readonly number[];
  readonly exited?: boolean;
  readonly blind?: boolean;
}

/** A target with prepared looks; the last one is repeated. */
class ScriptedTarget implements StopTarget {
  readonly sent: [step: StopStep, pids: number[]][] = [];
  readonly #looks: ScriptedLook[];
  #exited = false;

  constructor(looks: readonly ScriptedLook[]) {
    this.#looks = [...looks];
  }

  hasExited(): boolean {
    return this.#exited;
  }

  look(): Promise<Look> {
    const [next] = this.#looks.length > 1 ? this.#looks.splice(0, 1) : this.#looks;
    const { members = [], outside = [], gone = [], exited = false, blind = false } = next ?? {};
    this.#exited = exited;
    return Promise.resolve({
      members: members.map(member),
      outside: outside.map(member),
      blind,
      isAlive: ({ pid }: Member) => !gone.includes(pid),
    });
  }

  send(step: StopStep, members: readonly Member[]): Promise<void> {
    this.sent.push([step, members.map(({ pid }) => pid)]);
    return Promise.resolve();
  }
}

const graceMs = { kill: 60_000 };

describe('The stop ladder', () => {
  it('sends a step also to groups that appear meanwhile, and to each once', async () => {
    const target = new ScriptedTarget([
      { members: [1] },
      { members: [1, 2] },
      { members: [1, 2] },
      { members: [], exited: true },
    ]);
    const report = await climbStopLadder(target, ['interrupt', 'kill'], systemClock, {
      graceMs: { interrupt: 60_000 },
    });
    assert.deepEqual(report, { running: true, steps: ['interrupt'], exited: true, survivors: [] });
    assert.deepEqual(target.sent, [
      ['interrupt', [1]],
      ['interrupt', [2]],
    ]);
  });

  it('kills all members again that a look finds', async () => {
    const target = new ScriptedTarget([
      { members: [1] },
      { members: [2] },
      { members: [3] },
      { members: [], exited: true },
    ]);
    await climbStopLadder(target, ['kill'], systemClock, { graceMs });
    assert.deepEqual(target.sent, [
      ['kill', [1]],
      ['kill', [2]],
      ['kill', [3]],
    ]);
  });

  it('names processes out of reach, unless they have ended meanwhile', async () => {
    const target = new ScriptedTarget([
      { members: [1], outside: [7, 8] },
      { members: [], outside: [], gone: [8], exited: true },
    ]);
    const { survivors } = await climbStopLadder(target, ['kill'], systemClock, { graceMs });
    assert.deepEqual(survivors, [{ pid: 7, startTime: '1', command: 'process 7', why: 'otherSession' }]);
  });

  it('names the processes that outlived the last step', async () => {
    const target = new ScriptedTarget([{ members: [5] }]);
    const report = await climbStopLadder(target, ['kill'], systemClock, { graceMs: { kill: 1 } });
    assert.deepEqual(report, {
      running: true,
      steps: ['kill'],
      exited: false,
      survivors: [{ pid: 5, startTime: '1', command: 'process 5', why: 'stillRunning' }],
    });
  });

  it('names no process where processes cannot be listed', async () => {
    const target = new ScriptedTarget([{ members: [5], blind: true }]);
    const report = await climbStopLadder(target, ['kill'], systemClock, { graceMs: { kill: 1 } });
    assert.deepEqual(report, {
      running: true,
      steps: ['kill'],
      exited: false,
      survivors: [],
      survivorsUnknown: true,
    });
  });

  it('says so where a last look for those that have detached themselves fails', async () => {
    const target = new ScriptedTarget([{ members: [1] }, { members: [], exited: true }]);
    const detached = () => Promise.reject(new Error('There is no /proc.'));
    const report = await climbStopLadder(Object.assign(target, { detached }), ['kill'], systemClock);
    assert.deepEqual([report.exited, report.survivors, report.survivorsUnknown], [true, [], true]);
  });

  it('takes a grace that is no number for the default one', async () => {
    const target = new ScriptedTarget([{ members: [1] }, { members: [], exited: true }]);
    const report = await climbStopLadder(target, ['interrupt', 'kill'], systemClock, {
      graceMs: { interrupt: Number.NaN },
    });
    assert.deepEqual(report.steps, ['interrupt']);
  });
});
