import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { ExecError, type Sandbox } from '../../core/index.js';
import type { ChildRequest } from '../child/child.js';
import type { SandboxedStart } from './sandboxedStart.js';

/** Prints what the sandbox lets through: a write to the folder `$0`, a network card, and a connection. */
const ATTEMPTS = `
(: >"$0/probe") 2>/dev/null && echo 'the sandbox lets programs write everywhere'
while read -r name _; do
  case $name in Inter-\\| | face | lo:*) ;; *) echo "the sandbox has the network $name"; esac
done </proc/net/dev
refusal=$( (exec 3<>/dev/tcp/127.0.0.1/1) 2>&1)
case $refusal in *'Operation not permitted'*) ;; *) echo 'the sandbox lets programs use sockets'; esac
`;

const NOTHING_ALLOWED: Sandbox = { places: [], network: false };

/**
 * Makes one sandbox, and tries there what it must refuse.
 *
 * @param folder A folder that exists, and that this user can write outside of the sandbox.
 * @throws ExecError noSandbox
 */
export async function probe(
  folder: string,
  bash: string,
  wrap: (start: ChildRequest, sandbox: Sandbox) => Promise<SandboxedStart>,
): Promise<void> {
  const attempts = { argv: [bash, '-p', '-c', ATTEMPTS, folder], cwd: '/', env: { LC_ALL: 'C' } } as const;
  const start = await wrap(attempts, NOTHING_ALLOWED);
  try {
    const [program, ...args] = start.request.argv;
    const child = spawn(program, args, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    [child.stdout, child.stderr].forEach((stream) =>
      stream.on('data', (bytes: Buffer) => (output += bytes.toString('utf8'))),
    );
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0 || output !== '') {
      throw new ExecError({ kind: 'noSandbox', reason: output });
    }
  } finally {
    await start.end();
  }
}
