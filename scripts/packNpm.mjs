// Makes the folder of our npm package from dist/: the server, its bridge and mcp, and the command line, without a
// dependency or an install script.
//   node scripts/packNpm.mjs FOLDER
import fs from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const folder = path.resolve(process.argv[2] ?? path.join(root, 'out/npm'));

/** Files of dist/ that only VS Code loads. */
const OF_VSCODE = [
  'extension.js',
  'main.js',
  'await-server.js',
  'askpass.js',
  'uninstalled.js',
  'exec-sessions.d.ts',
];
const README = `# Exec Sessions

Two programs, for Node 20 or later on Linux, macOS and Windows:

- \`exec-sessions\` shows and runs the sessions of this machine: \`exec-sessions --help\`.
- \`exec-server\` runs processes for clients, and has \`bridge\` and \`mcp\`: \`exec-server --help\`.

They are the ones of the VS Code extension Exec Sessions, and share their sessions with it.
`;

const { name, version, license, keywords, engines } = JSON.parse(
  fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
);
const manifest = {
  name,
  version,
  description: 'Sessions that outlive their window: the exec-server and the command line of Exec Sessions',
  license,
  keywords,
  bin: { 'exec-server': 'dist/exec-server.js', 'exec-sessions': 'dist/exec-sessions.js' },
  engines: { node: engines.node },
  files: ['dist'],
};

fs.rmSync(folder, { recursive: true, force: true });
fs.cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), {
  recursive: true,
  filter: (file) => !OF_VSCODE.includes(path.basename(file)) && !file.endsWith('.map'),
});
fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
fs.writeFileSync(path.join(folder, 'README.md'), README);
fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
