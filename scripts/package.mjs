// Packs dist/ and the papers beside it into exec-sessions-VERSION.vsix, the same bytes for the same files, whatever the
// folder, the time, the time zone, the language and the umask. SOURCE_DATE_EPOCH sets the time of the files in it.
import { listFiles, PackageManager } from '@vscode/vsce';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const stage = path.join(root, 'out/package');
const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');

/** The first moment that a zip file can express, in seconds. */
const EARLIEST = '315532800';

// vsce takes the modes from the files, and they have those of the umask. So it packs copies with modes of ours.
fs.rmSync(stage, { recursive: true, force: true });
const packed = await listFiles({ cwd: root, packageManager: PackageManager.None });
for (const name of [...packed, '.vscodeignore']) {
  const copy = path.join(stage, name);
  fs.mkdirSync(path.dirname(copy), { recursive: true });
  fs.copyFileSync(path.join(root, name), copy);
  fs.chmodSync(copy, fs.statSync(copy).mode & 0o100 ? 0o755 : 0o644);
}

const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
try {
  execFileSync(process.execPath, [vsce, 'package', ...options, '--out', root], {
    cwd: stage,
    // With a time, vsce sorts the files: in the order of the language. It writes the time of the zone.
    env: { SOURCE_DATE_EPOCH: EARLIEST, ...process.env, TZ: 'UTC', LC_ALL: 'C' },
    stdio: 'inherit',
  });
} finally {
  fs.rmSync(stage, { recursive: true });
}
