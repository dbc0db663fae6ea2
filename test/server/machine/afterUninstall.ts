import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { root } from '../../rig/paths.js';

/** Does what VS Code does once it has removed the extension: with its own Node, in the folder of the extension. */
export async function afterUninstall(env: Readonly<Record<string, string>>): Promise<void> {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [, program = ''] = /^node (\S+)$/.exec(scripts['vscode:uninstall'] ?? '') ?? [];
  await promisify(execFile)(process.execPath, [program], { cwd: root, env });
}
