import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';

import type { Job } from './job.js';
import type { Play } from './play.js';

const SERVER = `
const http = require('node:http');
console.log('starting');
http.createServer((request, response) => { console.log(request.method + ' ' + request.url); response.end('hello\\n'); })
  .on('error', (error) => { console.error(error.message); process.exit(1); })
  .listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
`;

/** A port of the loopback that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function writeServer(play: Play): Promise<number> {
  fs.writeFileSync(path.join(play.folder, 'server.js'), SERVER);
  const port = await freePort();
  play.hide(String(port), 'PORT');
  return port;
}

/** Jobs with commands that go on while others run. */
export const servers: readonly Job[] = [
  {
    name: '03-dev-server',
    title: 'A development server: start, ask, restart, stop',
    run: async (play) => {
      const port = await writeServer(play);
      const argv = ['node', 'server.js', String(port)];
      const session = await play.start({ argv, title: 'dev' }, '^ready');
      await play.call('wait_for', { session, port });
      await play.run({ cmd: `curl -s http://127.0.0.1:${port}/page` });
      await play.call('wait_for', { session, pattern: '^GET /page' });
      await play.run({ argv });
      const second = await play.run({ argv, again: true });
      await play.call('read_output', { session: second.structured['session'] });
      await play.call('stop_session', { session });
      await play.call('list_sessions', {});
    },
  },
  {
    name: '12-follow-a-log',
    title: 'tail -f, and a wait for a new line',
    run: async (play) => {
      const log = path.join(play.folder, 'app.log');
      fs.writeFileSync(log, 'started\n');
      const session = await play.start({ cmd: 'tail -f app.log' }, 'started');
      fs.appendFileSync(log, 'job 1 done\n');
      await play.call('wait_for', { session, pattern: 'job \\d+ done', from: '1' });
      await play.call('stop_session', { session });
    },
  },
  {
    name: '14-leftovers',
    title: 'What commands leave behind',
    run: async (play) => {
      const leftovers = [
        'nohup sleep 301 >/dev/null 2>&1 &',
        'setsid sleep 302 >/dev/null 2>&1 </dev/null &',
      ];
      for (const cmd of leftovers) {
        const reply = await play.run({ cmd: `${cmd} sleep 0.2` });
        const session = reply.structured['session'];
        await play.call('list_sessions', {});
        const stop = await play.call('stop_session', { session });
        const pid = /sleep \(pid (\d+)\)/.exec(stop.text)?.[1];
        if (pid !== undefined) {
          await play.call('stop_session', { session, pid: Number(pid) });
        }
      }
    },
  },
  {
    name: '15-stubborn',
    title: 'A command that ignores the interrupt',
    run: async (play) => {
      const script = [
        'import os, signal',
        'signal.signal(signal.SIGINT, signal.SIG_IGN)',
        'def end(*_): os.write(1, b"cleaning\\n"); os._exit(3)',
        'signal.signal(signal.SIGTERM, end)',
        'os.write(1, b"ready\\n")',
        'while True: signal.pause()',
      ].join('\n');
      const session = await play.start({ argv: ['python3', '-c', script] }, '^ready');
      await play.call('stop_session', { session });
      await play.call('read_output', { session });
    },
  },
  {
    name: '16-thirty',
    title: 'Thirty sessions at once',
    run: async (play) => {
      const sessions: number[] = [];
      for (let index = 1; index <= 30; index++) {
        sessions.push(await play.start({ cmd: `echo number ${index}; exec sleep 300` }, `^number ${index}$`));
      }
      await play.call('list_sessions', {});
      for (const session of sessions) {
        await play.call('stop_session', { session, force: true });
      }
    },
  },
  {
    name: '25-patience',
    title: 'Waits that end first',
    run: async (play) => {
      const session = await play.start(
        { cmd: 'echo begun; read line; echo "got $line"; cat', stdin: true },
        '^begun',
      );
      await play.call('wait_for', { session, pattern: 'never', timeout_ms: 200 });
      await play.call('wait_for', { session, quiet_ms: 100 });
      await play.type(session, { chars: 'it\n' }, '^got it');
      await play.unseen('write_stdin', { session, close: true });
      await play.call('wait_for', { session, exit: true });
    },
  },
];
