import fs from 'node:fs';
import path from 'node:path';

import { runOwned } from '../rig/lifetime.js';

/** Rewrites a package: another version of the extension, whose exec-server is another program. */
const REWRITE = `
import json, sys, zipfile
source, target, version = sys.argv[1:]
with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as new:
    for item in old.infolist():
        data = old.read(item)
        if item.filename == 'extension/package.json':
            data = json.dumps({**json.loads(data), 'version': version}).encode()
        elif item.filename == 'extension.vsixmanifest':
            current = json.loads(old.read('extension/package.json'))['version']
            data = data.replace(f'Version="{current}"'.encode(), f'Version="{version}"'.encode())
        elif item.filename == 'extension/dist/exec-server.js':
            data += b'\\n// newer\\n'
        new.writestr(item, data)
`;

/** Makes a newer version of a package, in a folder. */
export async function newerVersion(vsix: string, folder: string): Promise<string> {
  const script = path.join(folder, 'rewrite.py');
  const target = path.join(folder, 'newer.vsix');
  fs.writeFileSync(script, REWRITE);
  await runOwned('python3', [script, vsix, target, '99.0.0'], { cwd: folder });
  return target;
}
