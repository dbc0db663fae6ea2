import assert from 'node:assert/strict';

import type { Agent } from '../../../../src/agent/tool.js';
import type { NumberOrigin } from '../../../../src/core/index.js';
import { parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

const HOW_LONG = 180_000;

/** Two windows of one client, and a client of another name. */
function threeAgents() {
  const left = new AbortController();
  const windows: readonly [Agent, Agent] = [
    { id: 'window 1', name: 'Claude Code', gone: left.signal },
    { id: 'window 2', name: 'Claude Code' },
  ];
  const [one, two] = windows;
  return { one, two, codex: { id: 'codex', name: 'Codex' }, oneLeaves: () => left.abort() };
}

describe('Two agents of one name', () => {
  it('have lists of their own, and see the others apart', async () => {
    const { starts, call } = scriptedTools();
    const { one, two, codex } = threeAgents();
    await starts({ cmd: 'dev' }, one);
    await starts({ cmd: 'build' }, two);
    await starts({ cmd: 'watch' }, codex);
    const listed = async (agent: Agent, all: boolean) =>
      (await call('list_sessions', { all }, { agent })).text.split('\n').map((line) => line.split(' | ')[0]);
    assert.deepEqual(await listed(one, false), [
      '1 session of yours, 1 running.',
      'Session 1: dev',
      '2 sessions of other agents, 2 running: all=true lists them.',
      'Environments: here (This Machine, the default)',
    ]);
    const { text, structured } = await call('list_sessions', { all: true }, { agent: two });
    assert.deepEqual(
      text
        .split('\n')
        .map((line) => line.replace(/ \| .*environment here/, ''))
        .slice(0, 5),
      [
        '1 session of yours, 1 running.',
        'Session 2: build',
        '2 sessions of other agents, 2 running.',
        'Session 1: dev, of another Claude Code',
        'Session 3: watch, of Codex',
      ],
    );
    const entries = structured['sessions'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      entries.map(({ agent, yours }) => [agent, yours]),
      [
        ['Claude Code (2)', true],
        ['Claude Code', false],
        ['Codex', false],
      ],
    );
    assert.match(
      (await call('list_sessions', { all: true }, { agent: codex })).text,
      /of Claude Code \(2\)\n/,
    );
  });

  it('do not read away the output of each other, and are told whose a session is', async () => {
    const { starts, call, process } = scriptedTools();
    const { one, two } = threeAgents();
    const started = await starts({ cmd: 'dev' }, one);
    assert.match(started.text, /^Session 1: dev\n/);
    process(1).prints('two\n');
    const read = async (agent: Agent) => parts(await call('read_output', { session: 1 }, { agent }));
    const other = await read(two);
    assert.equal(other.output, 'two\n');
    assert.equal(other.lines[0], 'Session 1 of another Claude Code: dev');
    const own = await read(one);
    assert.equal(own.output, 'two\n');
    assert.equal(own.lines[0], 'Session 1: dev');
  });

  it('have a limit each', async () => {
    const { starts } = scriptedTools({ limits: { live: 1 } });
    const { one, two } = threeAgents();
    assert.equal((await starts({ cmd: 'dev' }, one)).isError, false);
    assert.equal((await starts({ cmd: 'dev' }, two)).isError, false);
    assert.equal((await starts({ cmd: 'dev' }, two)).isError, true);
  });

  it('are told what the other does with their sessions, once, and nothing of sessions that are not theirs', async () => {
    const { starts, call, process, clock } = scriptedTools();
    const { one, two, codex } = threeAgents();
    await starts({ cmd: 'dev', stdin: true }, one);
    await starts({ cmd: 'build' }, two);
    const type = (agent: Agent) =>
      call('write_stdin', { session: 1, chars: 'x\n', yield_time_ms: 0 }, { agent });
    const signal = () => call('send_signal', { session: 1, signal: 'SIGINT' }, { agent: codex });
    for (const use of [() => type(one), () => type(two), () => type(two), signal]) {
      const used = use();
      await settle();
      clock.advance(200);
      // The agent's own calls are no news to it, and neither are the calls of others on sessions of others.
      assert.doesNotMatch((await used).text, /has called/);
    }
    const stopping = call('stop_session', { session: 1, force: true }, { agent: two });
    await settle();
    process(1).ends(137);
    assert.match((await stopping).text, /^Session 1 of another Claude Code: dev\n/);
    const list = async (agent: Agent) => (await call('list_sessions', {}, { agent })).text.split('\n');
    assert.deepEqual(
      (await list(one)).filter((line) => line.startsWith('Warning')),
      [
        'Warning: Another Claude Code (2) has called write_stdin for session 1 (dev).',
        'Warning: The agent Codex has called send_signal for session 1 (dev).',
        'Warning: Another Claude Code (2) has called stop_session for session 1 (dev).',
      ],
    );
    for (const agent of [one, two]) {
      assert.deepEqual(
        (await list(agent)).filter((line) => line.startsWith('Warning')),
        [],
      );
    }
  });
});

describe('A session whose agent has left', () => {
  it('is listed as that, and belongs to the first that names it, which is told so once', async () => {
    const { starts, call, clock, process } = scriptedTools({ limits: { live: 1 } });
    const { one, two, codex, oneLeaves } = threeAgents();
    await starts({ cmd: 'dev' }, one);
    await call('list_sessions', {}, { agent: two });
    process(1).prints('ready\n');
    oneLeaves();
    clock.advance(HOW_LONG);
    const before = await call('list_sessions', {}, { agent: two });
    assert.deepEqual(
      before.text
        .split('\n')
        .slice(0, 3)
        .map((line) => line.replace(/started.*here, /, '')),
      [
        '0 sessions of yours, 0 running.',
        '1 session left by agents that have gone. A call that names one takes it over.',
        'Session 1: dev | running, left by another Claude Code 3 m ago',
      ],
    );
    const read = await call('read_output', { session: 1 }, { agent: two });
    assert.deepEqual(parts(read), {
      lines: [
        'Warning: session 1 (dev) was left by Claude Code 3 m ago, and is yours now.',
        'Session 1: dev',
        'State: running',
        'Wall time: 0.00 s',
        'Cursor: 1',
      ],
      output: 'ready\n',
    });
    assert.doesNotMatch((await call('read_output', { session: 1 }, { agent: two })).text, /Warning/);
    // It counts as a session of its new agent, and of no other.
    assert.equal((await starts({ cmd: 'x' }, two)).isError, true);
    assert.match(
      (await call('read_output', { session: 1 }, { agent: codex })).text,
      /^Session 1 of Claude Code \(2\): dev\n/,
    );
  });

  it('brings its next agent no news of the calls of the agent that has left', async () => {
    const { starts, call, clock } = scriptedTools();
    const { one, two, oneLeaves } = threeAgents();
    await starts({ cmd: 'dev', stdin: true }, one);
    const typed = call('write_stdin', { session: 1, chars: 'x\n', yield_time_ms: 0 }, { agent: two });
    await settle();
    clock.advance(200);
    await typed;
    oneLeaves();
    const taken = await call('read_output', { session: 1 }, { agent: two });
    assert.match(taken.text, /was left by Claude Code/);
    assert.doesNotMatch(taken.text, /has called/);
  });

  it('counts with all that run, and with those that are being started, so that no client can leave any number of them', async () => {
    const { starts } = scriptedTools({ limits: { liveOfAll: 3 } });
    const { one, two, oneLeaves } = threeAgents();
    await starts({ cmd: 'a' }, one);
    await starts({ cmd: 'b' }, one);
    oneLeaves();
    const [third, refused] = await Promise.all([starts({ cmd: 'c' }, two), starts({ cmd: 'd' }, two)]);
    assert.equal(third.isError, false);
    assert.deepEqual(
      refused.text.split('\n').map((line) => line.replace(/ \(running.*/, '')),
      [
        'Nothing was started: the sessions of all agents are at their limit of 3. Stop one of yours, or one that an agent has left, with stop_session, then try again. Oldest first:',
        'Session 1: a',
        'Session 2: b',
      ],
    );
  });

  it('is that of an agent that may come back, and leave again', async () => {
    const { starts, call } = scriptedTools();
    const { one, two, oneLeaves } = threeAgents();
    await starts({ cmd: 'dev' }, one);
    oneLeaves();
    const listed = async () => (await call('list_sessions', {}, { agent: two })).text;
    assert.match(await listed(), /left by another Claude Code/);
    const again = new AbortController();
    await call('list_sessions', {}, { agent: { ...one, gone: again.signal } });
    assert.doesNotMatch(await listed(), /left by/);
    again.abort();
    assert.match(await listed(), /left by another Claude Code/);
  });

  it('is left by nobody if an agent of another program has taken it over before', async () => {
    const { starts, process, host } = scriptedTools();
    host.owned = true;
    const { one, oneLeaves } = threeAgents();
    await starts({ cmd: 'taken' }, one);
    await starts({ cmd: 'left' }, one);
    await process(1).describe({ agent: { number: 1, id: 'elsewhere', name: 'Codex' } });
    oneLeaves();
    assert.equal(process(1).info().metadata['leftAt'], undefined);
    assert.equal(typeof process(2).info().metadata['leftAt'], 'number');
  });

  it('leaves its name to the next, once it is that of another', async () => {
    const { starts, call } = scriptedTools();
    const { one, two, codex, oneLeaves } = threeAgents();
    await starts({ cmd: 'dev' }, one);
    oneLeaves();
    await call('read_output', { session: 1 }, { agent: two });
    const third: Agent = { id: 'window 3', name: 'Claude Code' };
    await starts({ cmd: 'third' }, third);
    const { text } = await call('list_sessions', { all: true }, { agent: codex });
    assert.match(text, /^Session 1: dev .* of Claude Code \(2\)$/m);
    assert.match(text, /^Session 2: third .* of Claude Code$/m);
  });
});

describe('The number of a session', () => {
  it('that this server does not have tells its owner', async () => {
    const origins: Record<number, NumberOrigin> = {
      1: { kind: 'own' },
      2: { kind: 'ended' },
      3: { kind: 'running', pid: 77 },
      4: { kind: 'elsewhere' },
    };
    const numbers = {
      next: () => Promise.resolve(4821),
      originOf: (number: number): NumberOrigin => origins[number] ?? { kind: 'unknown' },
    };
    const { starts, call } = scriptedTools({ numbers });
    assert.match((await starts({ cmd: 'x' })).text, /^Session 4821: x\n/);
    const read = async (session: number) => (await call('read_output', { session })).text;
    assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(read)), [
      'Session 1 is not listed any more. list_sessions shows yours.',
      'Session 2 belonged to another server, which has ended with its sessions. list_sessions names processes that they have left running. Start the command again if you need it. list_sessions shows yours.',
      'Session 3 belongs to another server, which still runs (process 77): another window of VS Code, or another exec-server mcp. It cannot be used from here. list_sessions shows yours.',
      'Session 4 belongs to a server on another machine or in another container. It cannot be used from here. list_sessions shows yours.',
      'Session 5 does not exist. list_sessions shows yours.',
    ]);
  });
});
