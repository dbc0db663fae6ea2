import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { freePort } from '../../support/freePort.js';
import { startHolder } from '../../support/portHolder.js';
import type { DeclareToolTest, ToolsFixture } from '../toolsSetup.js';

const TIMES = 20;

/** A look at what runs already, before something is started. */
export function startTests(test: DeclareToolTest): void {
  test('a server that runs already is not started again, 20 of 20 times', async (fixture) => {
    const { call, start } = fixture;
    const [cmd, port] = await server(fixture);
    const session = await start({ cmd });
    assert.deepEqual((await call('wait_for', { session, port })).structured['met'], ['port']);
    for (let time = 0; time < TIMES; time += 1) {
      const { text, isError } = await call('exec_command', { cmd });
      assert.match(
        text,
        new RegExp(
          `^Nothing was started: it runs as session ${session} for \\d+ s, port ${port}, started by you: reuse it \\(wait_for, read_output\\), restart it \\(stop_session, then exec_command\\), or call again with again=true\\.$`,
        ),
      );
      assert.equal(isError, true);
    }
    const byOther = await call('exec_command', { cmd }, { agent: 'other' });
    assert.match(byOther.text, new RegExp(`runs as session ${session} .* started by tester:`));
    assert.deepEqual(await listed(fixture), [session]);
    // As the answer advises.
    await call('stop_session', { session });
    const next = await start({ cmd });
    assert.deepEqual((await call('wait_for', { session: next, port })).structured['met'], ['port']);
  });

  test('of two calls at one moment that name a port, only one starts', async (fixture) => {
    const { call } = fixture;
    for (let time = 0; time < TIMES / 2; time += 1) {
      const cmd = `exec python3 -m http.server --bind 127.0.0.1 ${await freePort()}`;
      const begin = () => call('exec_command', { cmd, yield_time_ms: 0 });
      const answers = await Promise.all([begin(), begin()]);
      const [first, second] = answers.toSorted((one, other) => Number(one.isError) - Number(other.isError));
      const session = first?.structured['session'];
      assert.match(
        second?.text ?? '',
        new RegExp(`^Nothing was started: it runs as session ${String(session)} `),
      );
      await call('stop_session', { session, force: true });
    }
  });

  test('a port that is taken is told with the program that has it', async (fixture) => {
    const { call, start } = fixture;
    const holder = await startHolder();
    try {
      const cmd = `node app.js --port ${holder.port}`;
      const first = await call('exec_command', { cmd });
      assert.match(
        first.text,
        new RegExp(`^Nothing was started: port ${holder.port} is taken by .*which is no session\\. End it`),
      );
      const session = await start({ cmd: 'sleep 1000' });
      const { text } = await call('exec_command', { cmd });
      assert.match(
        text,
        new RegExp(`port ${holder.port} is taken by node.* \\(pid \\d+\\), which is no session\\.`),
      );
      assert.deepEqual(await listed(fixture), [session]);
      const again = await call('exec_command', { cmd, again: true });
      assert.equal(again.isError, false, again.text);
    } finally {
      holder.end();
    }
  });

  test('a port of a session is told with its number', async (fixture) => {
    const { call, start } = fixture;
    const [cmd, port] = await server(fixture);
    const session = await start({ cmd });
    await call('wait_for', { session, port });
    const { text } = await call('exec_command', { cmd: `npm run dev -- --port ${port}` });
    assert.match(text, new RegExp(`port ${port} is taken by node.* \\(pid \\d+\\), session ${session}\\.`));
  });

  test('other variables or another folder make it another command, and again starts it', async (fixture) => {
    const { call, start, folder } = fixture;
    const [cmd, port] = await server(fixture);
    const first = await start({ cmd, env: { PORT: '2' } });
    await call('wait_for', { session: first, port });
    await call('stop_session', { session: await start({ cmd }) });
    await call('stop_session', { session: first });
    const session = await start({ cmd });
    await call('wait_for', { session, port });
    const elsewhere = path.join(folder, 'elsewhere');
    fs.mkdirSync(elsewhere);
    for (const more of [
      { env: { PORT: '1' } },
      { env: { MODE: 'x' } },
      { workdir: elsewhere },
      { again: true },
    ]) {
      const answer = await call('exec_command', { cmd, yield_time_ms: 0, ...more });
      assert.equal(answer.isError, false, JSON.stringify(more) + answer.text);
    }
  });

  test('shells, clients, tests and short commands are started as ever', async (fixture) => {
    const { call, start } = fixture;
    const [cmd, port] = await server(fixture);
    const shell = await start({ argv: ['bash', '--norc'], tty: true });
    await call('write_stdin', { session: shell, chars: `${cmd}\n` });
    await call('wait_for', { session: shell, port });
    for (const input of [
      { argv: ['bash', '--norc'], tty: true, yield_time_ms: 0 },
      { cmd: `curl -s --port ${port} http://127.0.0.1:${port}` },
      { cmd: `echo node server.js --port ${port}` },
      { cmd: `true test.js --port ${port}` },
      { cmd: 'ls' },
      { cmd: 'sleep 1000', yield_time_ms: 0 },
      { cmd: 'sleep 1000', yield_time_ms: 0 },
    ]) {
      const answer = await call('exec_command', input);
      assert.equal(answer.isError, false, JSON.stringify(input) + answer.text);
    }
  });
}

/** A command of a server whose port is not in its arguments. */
async function server({ folder }: ToolsFixture): Promise<readonly [string, number]> {
  const port = await freePort();
  const script = `require('http').createServer((_, answer) => answer.end('ok')).listen(${port}, '127.0.0.1')`;
  fs.writeFileSync(path.join(folder, 'server.cjs'), script);
  return [`'${process.execPath}' server.cjs`, port];
}

/** The numbers of all running sessions. */
async function listed({ call }: ToolsFixture): Promise<readonly number[]> {
  const { structured } = await call('list_sessions', { all: true });
  const sessions = structured['sessions'] as readonly { session: number }[];
  return sessions.map(({ session }) => session).toSorted((one, other) => one - other);
}
