import assert from 'node:assert/strict';
import { wantedPorts } from '../../../src/sessions/words/wantedPorts.js';

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
