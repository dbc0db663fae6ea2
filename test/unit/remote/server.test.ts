import assert from 'node:assert/strict';

import { ExecError, type ExecFailure } from '../../../src/core/index.js';
import {
  BadAnswerError,
  RequestTimeoutError,
  WireClosedError,
  WireError,
} from '../../../src/protocol/index.js';
import { hostInfo } from '../../../src/remote/session/hostInfo.js';
import { RemoteBackend } from '../../../src/remote/index.js';
import { startFailure } from '../../../src/remote/process/startFailure.js';
import { execErrorOf } from '../../../src/remote/session/wireFailures.js';
import { FakeServer, type Answer } from './fakeServer.js';

const notFound: Answer = { error: { code: -32601, message: 'no such method' } };

async function connect(greeting: FakeServer['greeting'], answer: FakeServer['answer']) {
  const server = new FakeServer(() => 0);
  server.greeting = greeting;
  server.answer = answer;
  const backend = await RemoteBackend.connect({ connector: server.connector, clientName: 'unit' });
  return { server, backend };
}

describe('The knowledge about a server', () => {
  it('is what it says of its machine, with the paths of that machine', () => {
    const shell = { name: 'zsh', path: '/bin/zsh' };
    assert.deepEqual(
      hostInfo({ shell, cwd: 'file:///w%20x', userHomeDir: 'file:///Users/me', platformOs: 'macos' }),
      { platform: 'darwin', shell, cwd: '/w x', homeDir: '/Users/me' },
    );
    assert.deepEqual(
      hostInfo({ cwd: 'file:///C:/work', userHomeDir: 'file://host/share/me', platformOs: 'windows' }),
      { platform: 'win32', cwd: 'C:\\work', homeDir: '\\\\host\\share\\me' },
    );
    assert.deepEqual(hostInfo({ cwd: 'file:///C:/work' }), { cwd: 'C:\\work' });
    assert.deepEqual(hostInfo({ cwd: '/plain', userHomeDir: 'C:\\Users\\me' }), {});
    assert.deepEqual(hostInfo({ cwd: 'http://x/', userHomeDir: '' }), {});
    assert.deepEqual(hostInfo(undefined), {});
  });

  it('contains nothing that it does not announce', async () => {
    const { backend } = await connect({ environmentInfo: {} }, () => notFound);
    assert.deepEqual(backend.capabilities, {
      terminals: true,
      resize: false,
      initialSize: false,
      closeStdin: false,
      list: false,
      attach: false,
      stop: false,
      survivors: false,
      inputMode: false,
      inputWait: false,
      portProbe: false,
      listeners: false,
      usage: false,
      anonymousPipes: false,
      ownership: false,
      metadata: false,
      startedWith: false,
      changes: false,
      views: false,
      keptOutput: false,
      outputTimes: false,
      sandbox: false,
      signals: ['SIGINT', 'SIGKILL'],
    });
    assert.deepEqual(backend.host, {});
  });
});

describe('One pipe for both outputs', () => {
  const asksFor = async (capabilities: object) => {
    const { backend, server } = await connect({ environmentInfo: {}, capabilities }, () => ({
      result: { processId: 'x' },
    }));
    await backend.start({
      processId: 'p',
      argv: ['x'],
      cwd: '/',
      env: {},
      tty: false,
      stderrToStdout: true,
    });
    return server.asked.find(({ method }) => method === 'process/start')?.params['stderrToStdout'];
  };

  it('is asked for, also of a server that had no pipes when it said so', async () => {
    assert.equal(await asksFor({ anonymousPipes: true }), true);
    assert.equal(await asksFor({ anonymousPipes: false }), true);
  });

  it('is not asked of other servers', async () => {
    assert.equal(await asksFor({}), undefined);
  });
});

describe('A path', () => {
  const sent = async (cwd: string, environmentInfo?: object) => {
    const { backend, server } = await connect({ environmentInfo }, () => ({ result: { processId: 'x' } }));
    await backend.start({ processId: 'p', argv: ['x'], cwd, env: {}, tty: false });
    return server.asked.find(({ method }) => method === 'process/start')?.params['cwd'];
  };

  it('is a URI of the machine of the server', async () => {
    assert.equal(await sent('/a b', { platformOs: 'linux' }), 'file:///a%20b');
    assert.equal(await sent('C:\\a b', { platformOs: 'windows' }), 'file:///C:/a%20b');
  });

  it('shows the kind of machine if the server does not say it', async () => {
    assert.equal(await sent('/a b'), 'file:///a%20b');
    assert.equal(await sent('C:\\a b'), 'file:///C:/a%20b');
  });

  it('that is not absolute is left for the server to refuse', async () => {
    assert.equal(await sent('a b', { platformOs: 'linux' }), 'a b');
  });
});

describe('An error of a server', () => {
  const named = { processId: 'mine', wireId: '7-mine' };
  const read = (error: unknown) => {
    const read = execErrorOf(error, named);
    assert.ok(read instanceof ExecError);
    return read;
  };

  it('is what the server says that failed, by the name that the caller has for the process', () => {
    const failure: ExecFailure = { kind: 'noTerminal', processId: '7-mine' };
    const error = read(new WireError(-32600, 'no terminal for 7-mine', { failure }));
    assert.deepEqual(error.failure, { kind: 'noTerminal', processId: 'mine' });
    assert.deepEqual([error.code, error.wireMessage], [-32600, 'no terminal for mine']);
  });

  it('is its text where what it says makes no sense', () => {
    for (const failure of [7, null, {}, { kind: 'constructor' }, { kind: 'badSize', columns: '1' }]) {
      const error = read(new WireError(-32603, 'odd', { failure }));
      assert.deepEqual(error.failure, { kind: 'refusedByServer', reason: 'odd' });
    }
  });

  it('is known by its text where there is nothing else', () => {
    const kinds = [
      'unknown process id 7-mine',
      'process 7-mine already exists',
      'process id 7-mine is starting',
      'process 7-mine start was cancelled',
      'failed to write to process stdin',
    ].map((text) => read(new WireError(-32600, text)).failure.kind);
    assert.deepEqual(kinds, [
      'unknownProcess',
      'processExists',
      'processStarting',
      'startCancelled',
      'writeFailed',
    ]);
  });

  it('is one for people also when there was no answer, or none that makes sense', () => {
    assert.match(
      read(new WireClosedError('cut')).message,
      /^The connection to the exec-server was lost: cut\.$/,
    );
    assert.match(read(new RequestTimeoutError('x', 2_000)).message, /did not answer within 2 seconds/);
    assert.match(read(new BadAnswerError('x', 'y', 'z')).message, /cannot be understood/);
  });

  it('at a start says whether it was the directory or the program', async () => {
    const params = { processId: 'mine', argv: ['x'], cwd: '/d', env: {}, tty: false };
    const missing = new WireError(-32603, 'No such file or directory (os error 2)');
    const kinds = [];
    for (const found of ['missing', 'file', 'directory', undefined] as const) {
      const error = await startFailure(missing, params, named, () => Promise.resolve(found));
      assert.ok(error instanceof ExecError);
      assert.equal(error.wireMessage, missing.message);
      kinds.push(error.failure.kind);
    }
    assert.deepEqual(kinds, ['cwdNotFound', 'cwdNotDirectory', 'programNotFound', 'startFailed']);
  });

  // As the real server says it on Windows.
  for (const message of [
    'program not found',
    'Path not found. (os error 3)',
    'CreateProcessW `"nope.exe\\0"` in cwd `Some("C:\\\\eng\\0")` failed: File not found. (os error 2)',
  ]) {
    it(`at a start on Windows says that there is no such program: ${message}`, async () => {
      const params = { processId: 'mine', argv: ['x'], cwd: 'C:\\', env: {}, tty: false };
      const look = () => Promise.resolve('directory' as const);
      const error = await startFailure(new WireError(-32603, message), params, named, look);
      assert.ok(error instanceof ExecError);
      assert.equal(error.failure.kind, 'programNotFound');
    });
  }
});
