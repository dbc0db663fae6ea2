import { spawnSync } from 'node:child_process';

/** Whether the editor is installed that is driven as an example of a full-screen program. */
export function vimIsThere(): boolean {
  return spawnSync('vim', ['--version']).status === 0;
}
