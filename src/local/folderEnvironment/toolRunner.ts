import type { HostVariables } from '../../core/index.js';
import type { LocalBackend } from '../localBackend.js';
import { killGroup } from '../stop/posixSession.js';

/** The most output of a tool. The variables of a process have at most 2 MB. */
const MOST_BYTES = 4_000_000;

/** @returns the output, and the exit code of a tool that came to its own end. */
export type RunTool = (
  argv: readonly [string, ...string[]],
  how: { readonly cwd: string; readonly env: HostVariables; readonly last?: string },
) => Promise<{ readonly output: string; readonly code?: number | null }>;

/**
 * Runs tools without input, each in a POSIX session of its own, until it has ended or has said `last`. Then its group is
 * killed: a profile may start a program that holds the output. A tool that cannot be started says nothing.
 */
export function toolRunner(start: LocalBackend['startHelper'], limitMs: number): RunTool {
  return async (argv, { cwd, env, last }) => {
    const options = { cwd, env, detached: true, windowsHide: true, noInput: true };
    const child = await start(argv, options).catch(() => undefined);
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      let tail = '';
      const finish = (code?: number | null): void => {
        clearTimeout(timer);
        killGroup(child?.pid ?? 0, 'SIGKILL');
        child?.stdout?.destroy();
        child?.stderr?.destroy();
        resolve({ output: Buffer.concat(chunks).toString(), ...(code !== undefined && { code }) });
      };
      const timer = setTimeout(finish, child === undefined ? 0 : limitMs);
      child?.stdout?.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        tail += last === undefined ? '' : chunk.toString('latin1');
        if (bytes > MOST_BYTES || (last !== undefined && tail.includes(last))) {
          finish();
        }
        tail = tail.slice(-(last ?? '').length);
      });
      child?.stderr?.resume();
      // Not the end of its standard error, which other programs may hold.
      child?.once('exit', (code) => {
        if (child.stdout?.readableEnded === true) finish(code);
        else child.stdout?.once('end', () => finish(code));
      });
    });
  };
}
