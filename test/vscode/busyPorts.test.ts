import assert from 'node:assert/strict';

import { nameInMessage } from '../../src/sessions/words/index.js';
import { freePort } from '../support/freePort.js';
import { onLinux } from '../support/onLinux.js';
import { until } from '../support/until.js';
import { Fixture, untilOutput } from './fixture.js';

describe('a port that is taken', () => {
  let fixture: Fixture;

  beforeEach(() => {
    fixture = new Fixture();
  });

  afterEach(() => fixture.dispose());

  const serverCode = (port: number) =>
    `require('net').createServer().listen(${port}, '127.0.0.1', () => console.log('up'))`;
  const serve = (port: number) => fixture.start(`exec '${process.execPath}' -e "${serverCode(port)}"`);

  /** Runs a program of Node as a session of a person, which no terminal shows. */
  const startForPerson = (
    code: string,
    title: string,
    { more = [], env = {} }: { more?: string[]; env?: Record<string, string> } = {},
  ) =>
    fixture.services.starter.start(
      {
        command: { kind: 'argv', argv: [process.execPath, '-e', code, ...more] },
        title,
        env,
        tty: false,
        pipeStdin: false,
        show: false,
      },
      { kind: 'user' },
    );

  onLinux('is told of with the session that has it, which can be stopped there', async () => {
    const port = await freePort();
    const first = await serve(port);
    first.rename('the first');
    await untilOutput(first, 'up');
    fixture.user.buttons.push('Stop It');
    const second = await serve(port);
    const said = await fixture.user.hears(/^Port \d+, .* is in use by/);
    assert.equal(
      said.message,
      `Port ${port}, which "${nameInMessage(second.label)}" wanted, is in use by the session "the first".`,
    );
    assert.deepEqual(said.actions, ['Show', 'Stop It']);
    await until(() => first.ended);
  });

  onLinux('is told of by one message, where the end would be told of too', async () => {
    const port = await freePort();
    await untilOutput(await serve(port), 'up');
    await startForPerson(serverCode(port), 'unseen server');
    await fixture.user.hears(/^Port \d+, which "unseen server" wanted/);
    // Ends are told of in their order: once this one is, the other would have been.
    await startForPerson('process.exit(4)', 'exit 4');
    await fixture.user.hears(/^"exit 4" exited with code 4/);
    const about = fixture.user.messages.filter((message) => message.includes('unseen server'));
    assert.equal(about.length, 1, about.join());
  });

  onLinux('is known from the arguments, or from PORT, where the output names none', async () => {
    const port = await freePort();
    await untilOutput(await serve(port), 'up');
    const code = `
      const { PORT = process.argv.at(-1) } = process.env;
      require('net').createServer().listen(+PORT, '127.0.0.1').on('error', () => {
        console.error('12:34:56 address already in use');
        process.exit(1);
      })`;
    await startForPerson(code, 'by its arguments', { more: ['--', '--port', `${port}`] });
    await fixture.user.hears(new RegExp(`^Port ${port}, which "by its arguments" wanted`));
    await startForPerson(code, 'by its variable', { env: { PORT: `${port}` } });
    await fixture.user.hears(new RegExp(`^Port ${port}, which "by its variable" wanted`));
  });

  onLinux('is told of with the program that has it', async () => {
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      await serve(address.port);
      const said = await fixture.user.hears(/^Port \d+, .* is in use by/);
      assert.ok(said.message.endsWith(`(pid ${process.pid}).`), said.message);
      assert.deepEqual(said.actions, ['Show', 'Restart']);
    } finally {
      server.close();
    }
  });
});
