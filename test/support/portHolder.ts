import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that listens at a port of its own choice, and that nobody has started as a session. */
export async function startHolder() {
  const script = `
    const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port));
  `;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(said.toString()),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end: () => child.kill('SIGKILL'),
  };
}
