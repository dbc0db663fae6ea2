import assert from 'node:assert/strict';

import { until } from '../support/until.js';
import { useServer } from './inProcess.js';
import { base64, sh, startParams } from './rawClient.js';

describe('Input over the wire', () => {
  const fixture = useServer();

  describe('process/write', () => {
    it('reports its result', async () => {
      const client = await fixture.client();
      await client.start('piped', ['cat'], { pipeStdin: true });
      await client.start('closed', ['sleep', '100']);
      const write = (processId: string, writeId: string, chunk = base64('hi\n')) =>
        client
          .ask('process/write', { processId, chunk, writeId })
          .then(({ result, error }) => result ?? error?.message);
      assert.deepEqual(await write('piped', 'a'), { status: 'accepted' });
      assert.deepEqual(await write('piped', 'b', ''), { status: 'accepted' });
      assert.deepEqual(await write('nobody', 'a'), { status: 'unknownProcess' });
      assert.deepEqual(await write('closed', 'a'), { status: 'stdinClosed' });
      assert.deepEqual(await write('nobody', ''), 'writeId must not be empty');
      assert.deepEqual(
        await write('nobody', 'a', '!'),
        '"chunk" is wrong: it has to be base64 in the standard alphabet, padded',
      );
      await client.told('piped', 'output');
      assert.equal(client.output('piped'), 'hi\n');
    });

    it('remembers the names of the last 4,096 writes', async () => {
      const client = await fixture.client();
      await client.start('p', ['cat'], { pipeStdin: true });
      const write = (writeId: string, text = '') =>
        client.request('process/write', { processId: 'p', chunk: base64(text), writeId });
      const oldest = () => write('oldest', 'oldest\n');
      await oldest();
      for (let index = 1; index < 4_096; index++) {
        await write(`${index}`);
      }
      assert.deepEqual(await oldest(), { status: 'accepted' });
      // Earlier input comes back before this does.
      await write('marker', 'one more\n');
      await client.untilTrue(() => client.output('p').endsWith('one more\n'));
      assert.equal(client.output('p'), 'oldest\none more\n');
      await oldest();
      await client.untilTrue(() => client.output('p').endsWith('more\noldest\n'));
    });

    it('writes once under one name, also after the end', async () => {
      const client = await fixture.client();
      await client.start('p', sh('head -n 2'), { pipeStdin: true });
      const write = (writeId: string, text: string) =>
        client.request('process/write', { processId: 'p', chunk: base64(text), writeId });
      await Promise.all([
        write('1', 'one\n'),
        write('1', 'one\n'),
        write('1', 'other\n'),
        write('2', 'two\n'),
      ]);
      await client.told('p', 'closed');
      assert.equal(client.output('p'), 'one\ntwo\n');
      assert.deepEqual(await write('1', 'again'), { status: 'accepted' });
      assert.deepEqual(await client.refused('process/write', { processId: 'p', chunk: '', writeId: '' }), [
        -32602,
        'writeId must not be empty',
      ]);
      const chunk = base64('new');
      assert.deepEqual(await client.refused('process/write', { processId: 'p', chunk, writeId: '3' }), [
        -32603,
        'failed to write to process stdin',
      ]);
    });

    it('goes on to take input that nobody reads, as the real server does', async () => {
      const client = await fixture.client();
      await client.start('deaf', sh('exec 0<&-; echo ready; sleep 100'), { pipeStdin: true });
      await client.told('deaf', 'output');
      await client.start('terminal', ['true'], { tty: true });
      await client.told('terminal', 'closed');
      for (const processId of ['deaf', 'terminal']) {
        for (const writeId of ['1', '2', '3']) {
          const params = { processId, chunk: base64('x'), writeId };
          let answered = false;
          const answer = client.request('process/write', params).finally(() => (answered = true));
          await until(() => {
            // Time enough to see that it has not exited.
            fixture.clock.advance(100);
            return answered;
          });
          assert.deepEqual(await answer, { status: 'accepted' });
        }
      }
    });

    it('waits for a process that does not read, which disturbs nobody else, and ends with it', async () => {
      const client = await fixture.client();
      await client.start('full', sh('echo $$; exec sleep 100'), { pipeStdin: true });
      await client.start('other', ['cat'], { pipeStdin: true });
      const chunk = Buffer.alloc(600_000).toString('base64');
      const writes = ['1', '2', '3', '4'].map((writeId) =>
        client.ask('process/write', { processId: 'full', chunk, writeId }),
      );
      const close = client.ask('process/closeStdin', { processId: 'full' });
      await client.request('process/write', { processId: 'other', chunk: base64('x'), writeId: '1' });
      await client.told('other', 'output');
      assert.deepEqual((await writes[0])?.result, { status: 'accepted' });
      assert.equal(
        client.heard.filter((message) => 'result' in message && message.result['status'] !== undefined)
          .length,
        2,
      );
      await client.request('process/terminate', { processId: 'full' });
      for (const write of writes.slice(1)) {
        assert.equal((await write).error?.message, 'failed to write to process stdin');
      }
      await close;
    });

    it('need not wait for the answer to the start', async () => {
      const client = await fixture.client();
      for (const tty of [false, true]) {
        const processId = `tty ${tty}`;
        client.send({
          id: 'start',
          method: 'process/start',
          params: startParams(processId, sh('read x; echo "got $x"'), { tty, pipeStdin: true }),
        });
        const wrote = client.request('process/write', { processId, chunk: base64('it\n'), writeId: '1' });
        const read = client.request('process/read', { processId });
        assert.deepEqual(await wrote, { status: 'accepted' });
        assert.equal((await read)['failure'], null);
        await client.told(processId, 'closed');
        assert.match(client.output(processId), /got it/);
      }
      client.send({ id: 'no', method: 'process/start', params: startParams('no', ['/no/such']) });
      assert.deepEqual(await client.request('process/write', { processId: 'no', chunk: '', writeId: '1' }), {
        status: 'unknownProcess',
      });
    });

    it('comes before what is asked after it', async () => {
      const client = await fixture.client();
      await client.start('p', ['cat'], { pipeStdin: true });
      const texts = Array.from({ length: 200 }, (_, index) => `${index}\n`);
      texts.forEach((text, index) => {
        client.send({
          id: `w${index}`,
          method: 'process/write',
          params: { processId: 'p', chunk: base64(text), writeId: `${index}` },
        });
      });
      assert.deepEqual(await client.request('process/closeStdin', { processId: 'p' }), {});
      await client.told('p', 'closed');
      assert.equal(client.output('p'), texts.join(''));
      assert.deepEqual(
        await client.request('process/write', { processId: 'p', chunk: base64('x'), writeId: 'late' }),
        { status: 'stdinClosed' },
      );
    });
  });

  describe('A terminal', () => {
    it('has the size that was asked for, and takes another', async () => {
      const client = await fixture.client();
      const script = `trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.02; done`;
      await client.start('p', sh(script), { tty: true, size: { columns: 100, rows: 30 } });
      await client.untilTrue(() => client.output('p').includes('30 100'));
      await client.request('process/resize', { processId: 'p', size: { columns: 101, rows: 31 } });
      await client.told('p', 'closed');
      assert.ok(client.output('p').includes('31 101'));
    });

    it('echoes, ends its input, and is one stream', async () => {
      const client = await fixture.client();
      await client.start('p', ['cat'], { tty: true });
      await client.request('process/write', { processId: 'p', chunk: base64('hi\n'), writeId: '1' });
      await client.untilTrue(() => client.output('p') === 'hi\r\nhi\r\n');
      await client.request('process/closeStdin', { processId: 'p' });
      assert.equal((await client.told('p', 'exited')).params['exitCode'], 0);
      assert.equal((await client.told('p', 'output')).params['stream'], 'pty');
    });
  });
});
