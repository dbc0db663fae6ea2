import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { usePrograms } from './program.js';

describe('The command line of the exec-server', () => {
  const fixture = usePrograms();
  const fails = async (args: readonly string[], code: number, stderr: RegExp) => {
    const program = fixture.run(args);
    assert.equal(await program.ended, code);
    assert.match(program.stderr(), stderr);
    assert.equal(program.stdout(), '');
    return program;
  };

  for (const url of ['wss://127.0.0.1:0', 'http://127.0.0.1:0', 'tcp://127.0.0.1:0', 'stdin', 'unix:', '']) {
    it(`does not know --listen '${url}'`, async () => {
      await fails(['--listen', url], 1, /^Error: unsupported --listen URL `.*`; expected .*\n$/);
    });
  }

  for (const url of [
    'ws://localhost:0',
    'ws://127.0.0.1:0/',
    'ws://127.0.0.1',
    'ws://',
    'ws://127.0.0.1:99999',
    'ws://[127.0.0.1]:0',
    'ws://::1:0',
    'ws://127.0.0.1:0?x=1',
  ]) {
    it(`does not take --listen ${url}`, async () => {
      const text = `Error: invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\`\n`;
      const program = await fails(['--listen', url], 1, /^Error/);
      assert.equal(program.stderr(), text);
    });
  }

  it('says in one line that an address cannot be had', async () => {
    await fails(
      ['--listen', 'ws://192.0.2.1:0', '--allow-non-loopback'],
      1,
      /^Error: cannot listen on ws:\/\/192\.0\.2\.1:0: address not available \(EADDRNOTAVAIL\)\n$/,
    );
  });

  it('lets nobody in from outside unless told so', async () => {
    await fails(
      ['--listen', 'ws://0.0.0.0:0'],
      1,
      /^Error: everybody who can reach 0\.0\.0\.0 .*--allow-non-loopback/,
    );
    await fails(['--listen', 'ws://[::]:0'], 1, /^Error: everybody who can reach ::/);
    const told = fixture.run(['--listen', 'ws://0.0.0.0:0', '--allow-non-loopback']);
    assert.match(await told.ready, /^ws:\/\/0\.0\.0\.0:\d+$/);
    const token = path.join(fixture.folder, 'token');
    fs.writeFileSync(token, 'secret', { mode: 0o600 });
    const args = ['--listen', 'ws://0.0.0.0:0', '--ws-auth', 'capability-token', '--ws-token-file', token];
    assert.match(await fixture.run(args).ready, /^ws:\/\//);
  });

  for (const args of [
    ['--bogus'],
    ['extra'],
    ['--listen'],
    ['--ws-auth', 'x'],
    ['--concurrent-requests', '0'],
    ['bridge'],
    ['bridge', '--stdio', '--sessions', '--socket', '/x'],
  ]) {
    it(`takes ${args.join(' ')} for a mistake in its use`, async () => {
      await fails(args, 2, /^error: /);
    });
  }

  it('explains itself', async () => {
    const program = fixture.run(['--help']);
    assert.equal(await program.ended, 0);
    for (const option of [
      '--listen',
      '--ws-auth',
      '--ws-token-sha256',
      '--detached-session-seconds',
      '--max-processes',
      '--max-requests',
      '--max-http-requests',
      '--max-open-files',
      'bridge',
    ]) {
      assert.ok(program.stdout().includes(option), option);
    }
    assert.equal(program.stderr(), '');
  });

  it('accepts the options of the real server', async () => {
    const program = fixture.run(['--concurrent-requests', '8']);
    assert.match(await program.ready, /^ws:\/\/127\.0\.0\.1:\d+$/);
  });

  describe('about who may connect', () => {
    const file = (name: string, content: string | Buffer) => {
      const where = path.join(fixture.folder, name);
      fs.writeFileSync(where, content, { mode: 0o600 });
      return where;
    };
    const openTo = (mode: number) => {
      const where = file(`open-${mode}`, 'secret');
      fs.chmodSync(where, mode);
      return where;
    };
    const capability = ['--ws-auth', 'capability-token'];
    const signed = ['--ws-auth', 'signed-bearer-token'];
    const needMode =
      'websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`';
    const onlySigned =
      '`--ws-shared-secret-file`, `--ws-issuer`, `--ws-audience`, and `--ws-max-clock-skew-seconds` ' +
      'require `--ws-auth signed-bearer-token`';
    const cases: readonly (readonly [() => readonly string[], string | RegExp])[] = [
      [() => ['--ws-token-file', '/x'], needMode],
      [() => ['--ws-token-sha256', 'x'], needMode],
      [() => ['--ws-shared-secret-file', '/x'], needMode],
      [() => ['--ws-issuer', 'x'], needMode],
      [() => ['--ws-audience', 'x'], needMode],
      [() => ['--ws-max-clock-skew-seconds', '3'], needMode],
      [
        () => capability,
        '`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set',
      ],
      [
        () => [...capability, '--ws-token-file', '/x', '--ws-token-sha256', 'x'],
        '`--ws-token-file` and `--ws-token-sha256` are mutually exclusive',
      ],
      [
        () => [...capability, '--ws-token-sha256', 'abc'],
        '--ws-token-sha256 must be a 64-character hex SHA-256 digest',
      ],
      [() => [...capability, '--ws-token-file', file('t', 'x'), '--ws-issuer', 'x'], onlySigned],
      [
        () => [...capability, '--ws-token-file', file('t', ' \n')],
        /^websocket auth secret .* must not be empty$/,
      ],
      [
        () => [...capability, '--ws-token-file', '/no/such'],
        'failed to read websocket auth secret /no/such: no such file or directory (ENOENT)',
      ],
      [
        () => [...signed, '--ws-shared-secret-file', file('s', Buffer.alloc(32, 0xff))],
        /^failed to read websocket auth secret .*: it is not UTF-8 text$/,
      ],
      ...[0o604, 0o640, 0o602, 0o620].map(
        (mode) =>
          [
            () => [...capability, '--ws-token-file', openTo(mode)],
            /^failed to read .*: other users can read or change it; `chmod 600 .*open-\d+` keeps it to you$/,
          ] as const,
      ),
      [() => signed, '`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set'],
      [
        () => [...signed, '--ws-token-file', '/x'],
        '`--ws-token-file` and `--ws-token-sha256` require `--ws-auth capability-token`, not `signed-bearer-token`',
      ],
      [
        () => [...signed, '--ws-shared-secret-file', file('s', 'short')],
        /^signed websocket bearer secret .* must be at least 32 bytes$/,
      ],
      [
        () => ['--listen', 'stdio', ...capability, '--ws-token-file', file('t', 'x')],
        'WebSocket auth requires a WebSocket listener, not stdio',
      ],
    ];
    for (const [index, [args, expected]] of cases.entries()) {
      it(`finds contradiction ${index + 1}: ${expected.toString().slice(0, 50)}…`, async () => {
        const program = await fails(args(), 1, /^Error: .*\n$/);
        const text = program.stderr().slice('Error: '.length, -1);
        if (typeof expected === 'string') {
          assert.equal(text, expected);
        } else {
          assert.match(text, expected);
        }
      });
    }
  });
});
