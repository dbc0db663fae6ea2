import { spawnSync } from 'node:child_process';

/** Whether vim is installed, which is the example of a full-screen program. */
export function vimIsThere(): boolean {
  return spawnSync('vim', ['--version']).status === 0;
}
