import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A program that listens at a port, and that nobody has started as a session.
 *
 * @param port Without it, the program chooses one.
 */
export async function startHolder(host = '127.0.0.1', port = 0) {
  const script = `
    const server = require('node:net').createServer().listen(${port}, '${host}', () => console.log(server.address().port));
  `;
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const child = spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(said.toString()),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end: () => child.kill('SIGKILL'),
  };
}
