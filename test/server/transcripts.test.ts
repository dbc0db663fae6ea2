import path from 'node:path';

import { assertGolden } from '../support/golden.js';
import { describeOnLinux } from '../support/onLinux.js';
import { unixClient, usePrograms, webSocketClient } from './program.js';
import { base64, sh, type RawClient } from './rawClient.js';
import { Transcript } from './transcript.js';

/** Answers each line with one line, written at once, so that nothing cuts or joins it. */
const ECHO = 'while read -r line; do echo "you said $line"; done';
/** The same on a terminal that passes on lines as they are, without an echo. */
const TERMINAL_ECHO =
  'stty -echo -opost; trap "echo caught" INT; echo ready; ' +
  // A signal ends the reading of a line, not the loop.
  'while :; do read -r line && echo "you said $line"; done';

describeOnLinux('The transcript', () => {
  const programs = usePrograms();
  const connect = async () => webSocketClient(await programs.run(['--listen', 'ws://127.0.0.1:0']).ready);
  const expectGolden = (name: string, text: string) => assertGolden(import.meta.dirname, name, text);

  it('of a process on pipes is that of the golden file', async () => {
    const client = programs.run(['--listen', 'stdio']).client();
    const transcript = new Transcript(client);
    await client.handshake();
    await client.start('p', sh('read -r line; echo "you said $line"; read -r line; echo oops >&2; exit 3'), {
      pipeStdin: true,
    });
    await client.request('process/write', { processId: 'p', chunk: base64('hello\n'), writeId: 'w1' });
    await outputUntil(client, 'p', 'you said hello\n');
    await client.request('process/read', { processId: 'p', afterSeq: 0, waitMs: 0 });
    await client.request('process/closeStdin', { processId: 'p' });
    await client.told('p', 'closed');
    await client.request('process/read', { processId: 'p', afterSeq: 1 });
    await client.ask('process/write', { processId: 'p', chunk: base64('late\n'), writeId: 'w2' });
    await client.request('process/terminate', { processId: 'p' });
    expectGolden('pipes', transcript.toString());
  });

  it('of a process on a terminal is that of the golden file', async () => {
    const client = await connect();
    const transcript = new Transcript(client);
    await client.handshake();
    await client.start('t', sh(TERMINAL_ECHO), {
      tty: true,
      size: { columns: 80, rows: 24 },
    });
    await outputUntil(client, 't', 'ready\n');
    await client.request('process/resize', { processId: 't', size: { columns: 100, rows: 30 } });
    await client.request('process/write', { processId: 't', chunk: base64('hello\n'), writeId: 'w1' });
    await outputUntil(client, 't', 'you said hello\n');
    await client.request('process/inputMode', { processId: 't' });
    await client.request('process/signal', { processId: 't', signal: 'SIGINT' });
    await outputUntil(client, 't', 'caught\n');
    await client.request('process/terminate', { processId: 't' });
    await client.told('t', 'closed');
    await client.request('process/read', { processId: 't', afterSeq: 3 });
    expectGolden('terminal', transcript.toString());
  });

  it('of errors is that of the golden file', async () => {
    const client = await connect();
    const transcript = new Transcript(client);
    await client.ask('process/list', {});
    await client.ask('initialize', {});
    await client.ask('initialize', { clientName: 'test', resumeSessionId: 'gone' });
    await client.handshake();
    await client.ask('initialize', { clientName: 'test' });
    await client.ask('process/wait', {});
    await client.ask('process/read', {});
    await client.ask('process/read', { processId: 7 });
    await client.ask('process/read', { processId: 'nobody' });
    await client.ask('process/write', { processId: 'nobody', chunk: base64('x'), writeId: 'w' });
    await client.ask('process/write', { processId: 'nobody', chunk: '%', writeId: 'w' });
    await client.ask('process/terminate', { processId: 'nobody' });
    await client.ask('process/signal', { processId: 'nobody', signal: 'SIGINT' });
    await client.ask('process/start', { processId: 'p' });
    await client.ask('process/attach', { handle: 'none', processId: 'p' });
    await client.ask('fs/readFile', { path: 'file:///no/such/file' });
    client.send('{"id":');
    await client.until((message) => 'id' in message && message.id === -1);
    client.notify('no/such');
    await client.ended;
    expectGolden('errors', transcript.toString());
  });

  it('of two clients that share a process is that of the golden file', async () => {
    const socket = path.join(programs.folder, 'socket');
    await programs.run(['--listen', `unix:${socket}`]).ready;
    const one = await unixClient(socket);
    const first = new Transcript(one);
    await one.handshake();
    await one.start('p', sh(ECHO), { pipeStdin: true, windowBytes: 1000, clientMetadata: { name: 'Echo' } });
    await one.request('process/write', { processId: 'p', chunk: base64('one\n'), writeId: 'w1' });
    await outputUntil(one, 'p', 'you said one\n');
    one.notify('process/flow', { processId: 'p', ackSeq: 1 });

    const two = await unixClient(socket);
    const second = new Transcript(two);
    await two.handshake();
    const { processes } = await two.request('process/list', {});
    const [{ handle } = {}] = processes as readonly { readonly handle?: string }[];
    await two.request('process/attach', { handle, processId: 'q', windowBytes: 1000 });
    await two.request('process/read', { processId: 'q', afterSeq: 0, waitMs: 0 });
    // So long that no machine is too slow for it.
    const graceMs = { interrupt: 100_000 };
    await two.request('process/stop', { processId: 'q', stopId: 's', graceMs });
    await two.told('q', 'closed');
    await one.told('p', 'closed');
    await one.request('process/list', {});
    // Whether the one client or the other is told first is not certain.
    expectGolden(
      'sharing',
      `The client that starts the process:\n${String(first)}\nThe other:\n${String(second)}`,
    );
  });
});

/** Waits for the whole output of a process so far to end with this text. */
function outputUntil(client: RawClient, processId: string, end: string): Promise<void> {
  return client.untilTrue(() => client.output(processId).endsWith(end));
}
