import assert from 'node:assert/strict';

import { useServer } from './inProcess.js';

const REFUSED = -32600;

describe('The handshake', () => {
  const fixture = useServer({
    methods: {
      'environment/info': () => ({}),
      'environment/status': () => ({ status: 'ready' }),
      'fs/close': () => ({}),
      'http/request': () => ({ status: 200, headers: [], bodyBase64: '' }),
    },
  });
  const families = [
    ['process/read', { processId: 'x' }, 'exec'],
    ['process/list', {}, 'exec'],
    ['fs/close', { handleId: 'x' }, 'filesystem'],
    ['host/isListening', { port: 1 }, 'host'],
    ['http/request', { method: 'GET', url: 'http://x', requestId: 'a' }, 'http'],
    ['environment/info', undefined, 'environment info'],
    ['environment/status', undefined, 'environment status'],
  ] as const;

  it('comes before everything else', async () => {
    const client = fixture.connect();
    for (const [method, params, family] of families) {
      assert.deepEqual(await client.refused(method, params), [
        REFUSED,
        `client must call initialize before using ${family} methods`,
      ]);
    }
    const { sessionId, environmentInfo } = await client.request('initialize', { clientName: '' });
    assert.match(String(sessionId), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.deepEqual(environmentInfo, { platformOs: 'linux' });
    for (const [method, params, family] of families) {
      assert.deepEqual(await client.refused(method, params), [
        REFUSED,
        `client must send initialized before using ${family} methods`,
      ]);
    }
    client.notify('initialized');
    assert.deepEqual(await client.request('environment/status'), { status: 'ready' });
  });

  it('comes after what can be said of the request itself', async () => {
    const client = fixture.connect();
    assert.deepEqual(await client.refused('process/wait', {}), [
      -32601,
      'this server has no method "process/wait"',
    ]);
    assert.deepEqual(await client.refused('toString', {}), [-32601, 'this server has no method "toString"']);
    // This server has no handler for the next method, although the protocol has it.
    assert.deepEqual(await client.refused('fs/walk', {}), [-32601, 'this server has no method "fs/walk"']);
    assert.deepEqual(await client.refused('process/terminate', {}), [
      -32602,
      '"processId" is missing: it has to be a string',
    ]);
  });

  it('happens once, and can be tried again until it has', async () => {
    const client = fixture.connect();
    assert.deepEqual(await client.refused('initialize', {}), [
      -32602,
      '"clientName" is missing: it has to be a string',
    ]);
    assert.deepEqual(await client.refused('initialize', { clientName: 'x', resumeSessionId: 'gone' }), [
      REFUSED,
      'unknown session id gone',
    ]);
    assert.deepEqual(await client.refused('initialize', { clientName: 'x', resumeSessionId: '' }), [
      REFUSED,
      'unknown session id ',
    ]);
    await client.request('initialize', { clientName: 'x', resumeSessionId: null });
    assert.deepEqual(await client.refused('initialize', { clientName: 'x' }), [
      REFUSED,
      'initialize may only be sent once per connection',
    ]);
    client.notify('initialized');
    client.notify('initialized', null);
    client.notify('initialized', { outputFrames: 'perhaps' });
    assert.deepEqual(await client.request('environment/status', {}), { status: 'ready' });
  });

  it('announces what this server adds', async () => {
    const { capabilities } = await fixture.connect().request('initialize', { clientName: 'x' });
    const { signals, ...flags } = capabilities as Record<string, unknown>;
    assert.deepEqual(flags, {
      resize: true,
      initialSize: true,
      closeStdin: true,
      stop: true,
      survivors: process.platform === 'linux',
      list: true,
      listPages: true,
      attach: true,
      flow: true,
      inputMode: true,
      inputWait: process.platform === 'linux',
      portProbe: true,
      listeners: process.platform === 'linux',
      usage: true,
      anonymousPipes: process.platform === 'linux',
      outputFrames: true,
      outputTimes: true,
      goodbye: true,
      signOfLife: true,
      pings: true,
      inherited: process.platform === 'linux',
      metadata: true,
      startedWith: true,
      changes: true,
      views: true,
      sandbox: false,
    });
    assert.ok(Array.isArray(signals) && signals.includes('SIGTERM'));
  });

  for (const [what, message] of [
    ['initialized before initialize', { method: 'initialized' }],
    ['a notification that does not exist', { method: 'no/such' }],
    ['a request without an id', { method: 'environment/status' }],
    ['process/flow before initialize', { method: 'process/flow', params: { processId: 'x', ackSeq: 1 } }],
    ['an answer that nobody asked for', { id: 4, result: {} }],
  ] as const) {
    it(`ends the connection on ${what}`, async () => {
      const client = fixture.connect();
      client.send(message);
      await client.ended;
      assert.deepEqual(client.heard, []);
    });
  }

  describe('if only so much time is given for it', () => {
    const patient = useServer({ initializeLimitMs: 90_000 });

    it('takes place, or the connection ends', async () => {
      const silent = patient.connect();
      await patient.client();
      patient.clock.advance(89_999);
      const refused = patient.connect();
      assert.deepEqual((await refused.refused('process/list', {}))[0], REFUSED);
      assert.equal(silent.transport.end, undefined);
      patient.clock.advance(1);
      await silent.ended;
      assert.equal(refused.transport.end, undefined);
      patient.clock.advance(89_999);
      await refused.ended;
    });

    it('is not limited after that time', async () => {
      const client = await patient.client();
      patient.clock.advance(1_000_000);
      assert.deepEqual(await client.request('process/list', {}), { processes: [] });
    });
  });

  it('refuses initialized with an id', async () => {
    const client = fixture.connect();
    await client.request('initialize', { clientName: 'x' });
    assert.equal((await client.refused('initialized'))[0], -32601);
  });
});
