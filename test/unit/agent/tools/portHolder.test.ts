import assert from 'node:assert/strict';

import type { PortListener } from '../../../../src/core/index.js';
import { BASE_SERVER } from '../../../support/scriptedBackend.js';
import { parts } from '../replyParts.js';
import { scriptedTools, settle } from '../scriptedHost.js';

const BUSY = 'Error: listen EADDRINUSE: address already in use :::4310\n';
const holder: PortListener = { addresses: ['::'], pid: 77, command: 'node old', user: 'me', own: false };

describe('The holder of a port that a command could not have', () => {
  /** The line about the holder in the answer that has this output, and in one that reads the output again. */
  async function told(output: string, listener: PortListener, options = {}): Promise<readonly unknown[]> {
    const { starts, call, process } = scriptedTools(options);
    await starts({ cmd: 'python3 -m http.server 4310' });
    await starts({ cmd: 'python3 -m http.server 4310 --bind ::' });
    process(2).listeners = (port) => Promise.resolve(port === 4310 ? [listener] : []);
    process(2).prints(output);
    await settle();
    const lineOf = async (input: object) =>
      parts(await call('read_output', { session: 2, ...input })).lines.find((each) =>
        each.startsWith('Port'),
      );
    return [await lineOf({}), await lineOf({ cursor: '0' })];
  }

  it('is named as a session, with the new output alone', async () => {
    assert.deepEqual(await told(BUSY, { ...holder, processId: 'p1' }), [
      'Port 4310 is held by session 1 (python3 -m http.server 4310)',
      undefined,
    ]);
  });

  it('is named as a process otherwise', async () => {
    assert.deepEqual(await told(BUSY, holder), ['Port 4310 is held by node old (pid 77)', undefined]);
  });

  it('is found by the arguments if the output names no port', async () => {
    const [first] = await told('OSError: [Errno 98] Address already in use\n', holder);
    assert.equal(first, 'Port 4310 is held by node old (pid 77)');
  });

  it('is not the command itself, and is unknown where a machine does not tell', async () => {
    assert.deepEqual(await told(BUSY, { ...holder, own: true }), [undefined, undefined]);
    assert.deepEqual(await told(BUSY, holder, { capabilities: BASE_SERVER }), [undefined, undefined]);
    assert.deepEqual(await told('listening on 4310\n', holder), [undefined, undefined]);
  });
});
