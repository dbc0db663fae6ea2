import assert from 'node:assert/strict';

import { busyPortIn, portsToBe, wantedPorts } from '../../../src/core/index.js';

describe('The port that a program could not have', () => {
  it('is found in what programs say', () => {
    for (const [text, port] of [
      ['Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle', 3000],
      [
        "Error: listen EADDRINUSE: address already in use 127.0.0.1:3001 {\n  code: 'EADDRINUSE',\n  errno: -98,\n  port: 3001\n}",
        3001,
      ],
      ['2026/11/25 20:01:02 listen tcp :8080: bind: address already in use\r\nexit status 1\r\n', 8080],
      ['bind(2) for "127.0.0.1" port 3002 (Errno::EADDRINUSE)', 3002],
      ['Port 5173 is already in use', 5173],
      ['Port 3000 is in use, trying another one\nError: Port 3005 is in use', 3005],
      ['nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)', 80],
      ['(98)Address already in use: AH00072: make_sock: could not bind to address [::]:8080', 8080],
      [
        "[Errno 48] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
        8000,
      ],
      ['[10:15:30] listen EADDRINUSE: address already in use 0.0.0.0:4000', 4000],
      ['4000: address already in use at 10:15', 4000],
      ['listen tcp :98: bind: address already in use', 98],
    ] as const) {
      assert.deepEqual(busyPortIn(text), { port }, text);
    }
  });

  it('is not named by times, dates, places in files and the number of the error', () => {
    for (const text of [
      'EADDRINUSE',
      'address already in use 127.0.0.1',
      'port 99999 is in use',
      '[Errno 98] Address already in use',
      '12:34:56 bind: address already in use',
      '12:34:56.789 bind: address already in use',
      '[10:15:30] EADDRINUSE',
      '[10:15] EADDRINUSE',
      '2026-11-25T20:01:02.345Z ERROR address already in use',
      '2026/11/25 20:01:02 bind: address already in use',
      '25.11.2026 20:01:02,123 bind: address already in use',
      '20:01:02 main.go:42: bind: address already in use',
      'Address already in use (os error 98)',
      'code: 10048, EADDRINUSE',
    ]) {
      assert.deepEqual(busyPortIn(text), { port: undefined }, text);
    }
  });

  it('is not found where a program says something else, or goes on with another port', () => {
    for (const text of [
      '',
      'listening on :3000',
      'Port 5173 is in use, trying another one...',
      'Port 3000 is in use, using available port 3001 instead.',
      'address already in use :3000, trying next port',
    ]) {
      assert.equal(busyPortIn(text), undefined, text);
    }
  });
});

const shell = (commandLine: string) => ['/bin/bash', '-c', commandLine];

describe('The port that a program was told to listen at', () => {
  for (const [argv, ports] of [
    [['node', 'server.js', '--port', '3000'], [3000]],
    [['node', 'server.js', '--port=3000'], [3000]],
    [['rails', 's', '-p', '3000'], [3000]],
    [['serve', '-p=5000'], [5000]],
    [['python3', '-m', 'http.server', '8000'], [8000]],
    [['python3', '-m', 'http.server', '--bind', '127.0.0.1', '8000'], [8000]],
    [shell('npm run build && npx vite --port 5173 | tee log'), [5173]],
    [shell('PORT=4000 npm start'), [4000]],
    [shell('PORT=4000 node a.js --port 5000'), [5000]],
    [shell("exec my-server --port '3000'"), [3000]],
    [shell('(cd web; exec python3 -m http.server 8001)'), [8001]],
    [shell('ssh -p 2222 host true; node a.js -p 3000'), [3000]],
    [shell('npx serve -p 3000'), [3000]],
    [shell('npx http-server -p 8081 dist'), [8081]],
    [shell('next dev -p 3001'), [3001]],
    [shell('npm run dev -- -p 3000'), [3000]],
    [shell('flask run -p 5000'), [5000]],
    [shell('mkdir -p 4000 && ./bin/app -p 4001'), [4001]],
    [shell('cargo run -- -p 7000'), [7000]],
    [shell('php -S localhost:8000 -t public'), [8000]],
    [shell('/usr/bin/php8.3 -S 0.0.0.0:8000'), [8000]],
    [['php', '-S', '[::1]:8000'], [8000]],
  ] as const) {
    it(`is known from ${JSON.stringify(argv)}`, () => {
      assert.deepEqual(wantedPorts({ argv, env: {} }), ports);
    });
  }

  it('is known from its variable PORT, if no argument says it', () => {
    assert.deepEqual(wantedPorts({ argv: ['npm', 'start'], env: { PORT: '3000' } }), [3000]);
    assert.deepEqual(wantedPorts({ argv: ['a', '--port', '4000'], env: { PORT: '3000' } }), [4000]);
  });

  for (const argv of [
    shell('timeout 22 ./server'),
    shell('nc -l -p 3000'),
    shell('/usr/bin/ssh -p 2222 host node server.js'),
    shell('psql --port 5432'),
    shell('mkdir -p 3000'),
    shell('strace -p 1234'),
    shell('ssh -p 22 host'),
    shell('psql -p 5432'),
    shell('cp -p 8080 copies'),
    shell('docker run -p 8080:80 nginx'),
    shell('tail -f log --pid 1; lsof -p 4321'),
    shell('node -p 3000'),
    shell('git log -p 1234'),
    shell('unzip -p 2024 a.txt'),
    shell('cc -S main:8000'),
    shell('php -S localhost'),
    shell('xargs -P 80 server'),
    shell('server --ports 3000'),
    shell('server --port 99999'),
    shell('server --port $PORT'),
    shell('server -p'),
    shell('observer -p 3000'),
    shell('less /srv/server-notes -p 3000'),
    shell('http -p 3000'),
    shell('echo --port; 3000'),
    ['server', '3000'],
    ['server', '--port', 'auto', '3000'],
    ['docker', 'run', '-p', '3000:3000', 'image'],
  ] as const) {
    it(`is not guessed from ${JSON.stringify(argv)}`, () => {
      assert.deepEqual(wantedPorts({ argv, env: { PORT: 'auto' } }), []);
    });
  }
});

describe('A command that may be a server', () => {
  for (const [argv, ports] of [
    [shell('node server.js --port 3000'), [3000]],
    [shell('npx vite@latest --port 5173'), [5173]],
    [shell('echo starting; npm run dev -- -p 3000'), [3000]],
    [shell('python3 -m http.server 8123'), [8123]],
    [shell('npm run dev'), []],
    [['node', 'server.js', '3000'], []],
    [shell('PORT=3000 npm start'), []],
    [shell('git commit --port 3000'), []],
    [shell('echo serve --port 3000'), []],
  ] as const) {
    it(`is one with the ports ${ports.join()}: ${JSON.stringify(argv)}`, () => {
      assert.deepEqual(portsToBe(argv), ports);
    });
  }

  for (const argv of [
    ['/bin/bash'],
    ['bash', '-l'],
    shell('python3 -i'),
    shell('cd web && exec zsh'),
    shell('sudo -i'),
    ['C:\\Windows\\System32\\cmd.exe'],
    shell('claude --continue'),
    shell('tmux new -s dev'),
    shell('ssh -p 2222 host'),
    shell('curl --port 3000 localhost'),
    shell('npm test -- --port 3000'),
    shell('npx playwright test --port 3000'),
    shell('python3 client.py --port 3000'),
    shell('wait-on --port 3000'),
    shell('npx kill-port 3000 && npm run dev -- --port 3000'),
    shell('pkill -f app.js; node app.js --port 3000'),
    shell('docker run -p 80:80 nginx'),
  ]) {
    it(`is not ${JSON.stringify(argv)}`, () => {
      assert.equal(portsToBe(argv), undefined);
    });
  }
});
