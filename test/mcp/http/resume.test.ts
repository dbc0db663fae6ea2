import assert from 'node:assert/strict';
import type http from 'node:http';

import type { Client } from '@modelcontextprotocol/client';

import { MOST_EVENT_BYTES, PROGRESS_MS, RESUME_MS, RETRY_MS } from '../../../src/mcp/limits.js';
import { Cable } from '../../support/cable.js';
import { until } from '../../support/until.js';
import { textOf } from '../clients.js';
import type { ScriptedCall } from '../scriptedTools.js';
import { INITIALIZE, useHttpServer } from './setup.js';

/** The handshake in the first revision whose streams begin with an event. */
const HANDSHAKE = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: '2025-11-25' } };

/** The stream of a call that waits. */
interface CutCall {
  readonly session: string;
  readonly stream: http.IncomingMessage;
  readonly call: ScriptedCall;
  /** The text that the client has got so far. */
  text(): string;
  lastEvent(): string;
}

describe('A stream of MCP over HTTP that is cut', () => {
  const mcp = useHttpServer();
  const { openStream, post } = mcp;

  /** Begins a call, and waits for the first event on its stream. */
  async function beginCall(id = 2, session?: string, progressToken?: string): Promise<CutCall> {
    session ??= (await post(HANDSHAKE)).headers['mcp-session-id']?.toString() ?? assert.fail();
    const params = { name: 'look', ...(progressToken !== undefined && { _meta: { progressToken } }) };
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params };
    const stream = await openStream('POST', session, message, { 'mcp-protocol-version': '2025-11-25' });
    const text = collect(stream);
    const call = await mcp.tools.nextCall();
    await until(
      () => text(),
      (seen) => seen.includes('id: '),
    );
    return { session, stream, call, text, lastEvent: () => lastEventOf(text()) };
  }

  const resume = (session: string, lastEvent: string) =>
    openStream('GET', session, undefined, { 'last-event-id': lastEvent });

  /** Cuts the stream, and waits until the server has noticed. */
  async function cut({ stream }: CutCall): Promise<void> {
    const timers = mcp.clock.pendingTimers;
    stream.destroy();
    await until(() => mcp.clock.pendingTimers > timers);
  }

  it('begins with an event that says when to come back', async () => {
    const begun = await beginCall();
    assert.match(begun.text(), new RegExp(`^id: \\S+\nretry: ${RETRY_MS}\ndata: \n\n$`));
    begun.call.reply({});
  });

  it('goes on where it was cut, with what came meanwhile', async () => {
    const begun = await beginCall(2, undefined, 'token');
    mcp.clock.advance(PROGRESS_MS.first);
    await until(
      () => begun.text(),
      (seen) => seen.includes('"progress":1'),
    );
    const last = begun.lastEvent();
    await cut(begun);
    mcp.clock.advance(PROGRESS_MS.next);
    const again = collect(await resume(begun.session, last));
    await until(
      () => again(),
      (seen) => seen.includes('"progress":11'),
    );
    assert.ok(!again().includes('"progress":1}'), 'what had come does not come again');
    mcp.clock.advance(RESUME_MS);
    assert.equal(begun.call.caller.signal?.aborted, false);
    begun.call.reply({ text: 'There.' });
    await until(
      () => again(),
      (seen) => seen.includes('There.'),
    );
  });

  it('brings an answer that was given meanwhile', async () => {
    const begun = await beginCall();
    await cut(begun);
    begun.call.reply({ text: 'There.' });
    const again = await resume(begun.session, begun.lastEvent());
    assert.match((await again.setEncoding('utf8').toArray()).join(''), /There\./);
  });

  it('may be cut again, and each time there is the same time to come back', async () => {
    const begun = await beginCall();
    await cut(begun);
    for (let times = 0; times < 3; times++) {
      mcp.clock.advance(RESUME_MS - 1);
      const stream = await resume(begun.session, begun.lastEvent());
      await cut({ ...begun, stream });
    }
    const isCancelled = () => begun.call.caller.signal?.aborted;
    assert.equal(isCancelled(), false);
    mcp.clock.advance(RESUME_MS);
    assert.equal(isCancelled(), true);
    assert.equal((await resume(begun.session, begun.lastEvent())).statusCode, 400);
  });

  it('is taken over by a client before its old connection is known to be dead', async () => {
    const begun = await beginCall();
    const again = collect(await resume(begun.session, begun.lastEvent()));
    await until(() => begun.stream.readableEnded);
    mcp.clock.advance(RESUME_MS);
    begun.call.reply({ text: 'There.' });
    await until(
      () => again(),
      (seen) => seen.includes('There.'),
    );
  });

  it('ends the call at once if nothing was sent that a client could resume from', async () => {
    const session = (await post(INITIALIZE)).headers['mcp-session-id']?.toString() ?? assert.fail();
    const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'look' } };
    const stream = await openStream('POST', session, message);
    const call = await mcp.tools.nextCall();
    stream.destroy();
    await until(() => call.caller.signal?.aborted === true);
  });

  it('cannot be resumed with an event that was never sent, nor in another session', async () => {
    const begun = await beginCall();
    const other = await beginCall();
    for (const [session, event] of [
      [begun.session, 'x'],
      [begun.session, '/1'],
      [other.session, begun.lastEvent()],
    ] as const) {
      assert.equal((await resume(session, event)).statusCode, 400);
    }
    begun.call.reply({ text: 'There.' });
    await until(
      () => begun.text(),
      (seen) => seen.includes('There.'),
    );
    other.call.reply({});
  });

  it('keeps no more answers than fit', async () => {
    const first = await beginCall();
    await cut(first);
    first.call.reply({ text: 'x'.repeat(MOST_EVENT_BYTES / 2) });
    const second = await beginCall(3, first.session);
    await cut(second);
    second.call.reply({ text: 'y'.repeat(MOST_EVENT_BYTES) });
    const again = collect(await resume(first.session, second.lastEvent()));
    await until(
      () => again(),
      (seen) => seen.includes('yyy'),
    );
    assert.equal((await resume(first.session, first.lastEvent())).statusCode, 400);
  });

  it('is resumed by the official client', async () => {
    const cable = await Cable.open(mcp.server.port);
    let client: Client | undefined;
    try {
      client = await mcp.connect({ era: 'legacy', url: `http://127.0.0.1:${cable.place}/mcp` });
      let event: string | undefined;
      const onresumptiontoken = (id: string) => void (event = id);
      const result = client.callTool({ name: 'look' }, { onresumptiontoken });
      const call = await mcp.tools.nextCall();
      await until(() => event !== undefined);
      const { opened } = cable;
      cable.cut();
      await until(() => cable.opened > opened);
      call.reply({ text: 'There.' });
      assert.equal(textOf(await result), 'There.');
      assert.equal(mcp.tools.calls.length, 0, 'the call was not made again');
    } finally {
      await client?.close();
      cable.dispose();
    }
  });
});

/** Collects the text of a stream, which may break. */
function collect(stream: http.IncomingMessage): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}

function lastEventOf(text: string): string {
  return [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? assert.fail(text);
}
