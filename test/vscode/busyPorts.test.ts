import assert from 'node:assert/strict';

import { freePort } from '../support/freePort.js';
import { onLinux } from '../support/onLinux.js';
import { until } from '../support/processes.js';
import { Fixture, untilOutput } from './fixture.js';

describe('a port that is taken', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const serve = (port: number) => {
    const code = `require('net').createServer().listen(${port}, '127.0.0.1', () => console.log('up'))`;
    return fixture.start(`exec '${process.execPath}' -e "${code}"`);
  };

  onLinux('is told of with the session that has it, which can be stopped there', async () => {
    const port = await freePort();
    const first = await serve(port);
    first.rename('the first');
    await untilOutput(first, 'up');
    fixture.user.buttons.push('Stop It');
    await serve(port);
    const said = await fixture.user.hears(/^Port \d+ is in use by/);
    assert.equal(said.message, `Port ${port} is in use by the session "the first".`);
    assert.deepEqual(said.actions, ['Open It', 'Stop It']);
    await until(() => first.ended);
  });

  onLinux('is told of with the program that has it', async () => {
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      await serve(address.port);
      const said = await fixture.user.hears(/^Port \d+ is in use by/);
      assert.ok(said.message.endsWith(`(pid ${process.pid}).`), said.message);
      assert.deepEqual(said.actions, []);
    } finally {
      server.close();
    }
  });
});
