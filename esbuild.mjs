// Builds the extension into dist/, with --sbom the list of what it contains as well, and, with --tests, the
// extension-host suite into out/test/vscode/.
//   node esbuild.mjs [--dev] [--watch] [--sbom] [--tests]
import { context, build } from 'esbuild';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeSbom } from './scripts/sbom.mjs';

const root = import.meta.dirname;
const dist = path.join(root, 'dist');
const flags = new Set(process.argv.slice(2));
const watching = flags.has('--watch');
const dev = flags.has('--dev') || watching;

/** The packages that the extension itself loads, if at all, with one of the other programs. */
const loadedLater = [
  'node-pty',
  'ws',
  'zod',
  'vscode-jsonrpc',
  '@xterm/addon-unicode11',
  '@xterm/headless',
  're2js',
  '@modelcontextprotocol/server',
];

/**
 * The programs: each row makes one file in dist/. A row whose source does not exist yet is skipped, unless it is
 * required. A dynamic import of a row's source, or a require(), from another program stays an import of that row's file:
 * this is how a part is kept out of the extension's own bundle and loaded when it is first needed. So does any import of a
 * row's package, which several programs then share.
 */
const programs = [
  {
    out: 'extension.js',
    source: 'src/extension.ts',
    required: true,
    never: loadedLater,
  },
  {
    out: 'main.js',
    source: 'src/vscode/main.ts',
    never: loadedLater,
  },
  // A window that uses nothing else looks for session servers with it.
  { out: 'await-server.js', source: 'src/vscode/machine/awaitServer.ts', never: loadedLater },
  // ssh runs it to ask a person.
  { out: 'askpass.js', source: 'src/vscode/askpass/program.ts', never: [...loadedLater, 'vscode'] },
  // It answers a client of MCP at once, and loads the rest with what is asked for.
  {
    out: 'exec-server.js',
    source: 'src/server/main.ts',
    never: [...loadedLater, 'vscode', 'commander'],
    executable: true,
  },
  {
    out: 'exec-sessions.js',
    source: 'src/cli/main.ts',
    never: [...loadedLater, 'vscode', 'commander'],
    executable: true,
  },
  // Apart from exec-sessions.js, since Node keeps the compiled code only of what is loaded once it has been told where.
  {
    out: 'cli.js',
    source: 'src/cli/program.ts',
    never: ['node-pty', 'vscode', 'ws', 'vscode-jsonrpc', 're2js'],
  },
  { out: 'command-line.js', source: 'src/server/commandLine.ts', never: [...loadedLater, 'vscode'] },
  {
    out: 'serve.js',
    source: 'src/server/programs.ts',
    never: [
      'node-pty',
      'vscode',
      '@xterm/addon-unicode11',
      '@xterm/headless',
      're2js',
      '@modelcontextprotocol/server',
    ],
  },
  { out: 'local.js', source: 'src/local/index.ts', never: [...loadedLater, 'vscode'] },
  {
    out: 'sandboxed-files.js',
    source: 'src/server/methods/fileSystem/sandboxedMain.ts',
    never: ['node-pty', 'vscode'],
  },
  { out: 'guard.js', source: 'src/local/guard/main.ts', never: ['node-pty', 'vscode'] },
  { out: 'machine.js', source: 'src/machine/index.ts', never: [...loadedLater, 'vscode'] },
  { out: 'uninstalled.js', source: 'src/machine/uninstalled.ts', never: [...loadedLater, 'vscode'] },
  { out: 'remote.js', source: 'src/remote/index.ts', never: ['node-pty', 'vscode'] },
  { out: 'engines.js', source: 'src/engines/index.ts', never: ['node-pty', 'vscode'] },
  { out: 'agent.js', source: 'src/agent/index.ts', never: ['node-pty', 'vscode', 'ws'] },
  {
    out: 'mcp.js',
    source: 'src/mcp/index.ts',
    never: ['node-pty', 'vscode', 'ws', '@xterm/addon-unicode11', '@xterm/headless', 're2js'],
  },
  // Terminals and the command line load it when a session is opened that has already written output.
  {
    out: 'replay.js',
    source: 'src/terminal/replay/replay.ts',
    never: ['node-pty', 'vscode', 'ws', 'zod', 'vscode-jsonrpc'],
  },
  // The command line loads it to wait for a line; agents have it with the rest.
  {
    out: 'pattern.js',
    source: 'src/terminal/pattern.ts',
    never: [...loadedLater.filter((name) => name !== 're2js'), 'vscode'],
  },
  { out: 'node-pty.js', package: 'node-pty' },
  { out: 'xterm.js', package: '@xterm/headless' },
  // On Windows node-pty starts these two by a path relative to its own file.
  { out: 'worker/conoutSocketWorker.js', source: 'node_modules/node-pty/lib/worker/conoutSocketWorker.js' },
  { out: 'conpty_console_list_agent.js', source: 'node_modules/node-pty/lib/conpty_console_list_agent.js' },
];

const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

const require = createRequire(import.meta.url);
for (const program of programs) {
  program.file = program.package ? require.resolve(program.package) : path.join(root, program.source);
}
const present = programs.filter((program) => program.required || fs.existsSync(program.file));

/** The files that this run has written. All others in the output folder are removed afterwards. */
const written = new Set();

/**
 * Keeps a dynamic import or a require() of another program, and the question where it is, as those of that program's
 * file.
 *
 * @param own The source of the program that is built.
 * @param from The folder of the importing file in dist/, where imports are relative. Without it they are absolute, as
 *   for tests.
 */
const separatePrograms = (own, from) => ({
  name: 'separate-programs',
  setup(build) {
    build.onResolve({ filter: /./ }, (args) => {
      if (args.kind === 'entry-point') return undefined;
      const later = ['dynamic-import', 'require-call', 'require-resolve'].includes(args.kind);
      const wanted = path.resolve(args.resolveDir, args.path).replace(/\.[jt]s$/, '');
      const program = present.find(
        (other) =>
          other.file !== own &&
          (other.package === args.path || (later && other.file.replace(/\.[jt]s$/, '') === wanted)),
      );
      if (!program) return undefined;
      const target = path.join(dist, program.out);
      const near = path.relative(from ?? dist, target).replaceAll(path.sep, '/');
      return { path: from ? `./${near}` : target, external: true };
    });
  },
});

/**
 * Imports `vscode`, and whole modules of Node, without a copy. For each `import * as vscode` or `import path`, esbuild would
 * copy the module, property by property, as bundlers do for modules that may be of either kind: in 49 files that took 12 of
 * the 15 ms of processor time that loading took. These modules can be used directly.
 */
const modulesAsTheyAre = {
  name: 'modules-as-they-are',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const source = await fs.promises.readFile(file, 'utf8');
      const contents = source
        .replace("import * as vscode from 'vscode'", "import vscode = require('vscode')")
        .replace(/^import (\w+) from '(node:[\w/]+)'/gm, "import $1 = require('$2')");
      return { contents, loader: 'ts' };
    });
  },
};

/** Prints the lines that .vscode/tasks.json waits for. */
const progress = (name) => ({
  name: 'progress',
  setup(build) {
    build.onStart(() => console.log(`[watch] ${name} started`));
    build.onEnd((result) => {
      for (const { text, location } of result.errors) {
        console.log(`> ${location?.file}:${location?.line}:${location?.column}: error: ${text}`);
      }
      console.log(`[watch] ${name} finished`);
    });
  },
});

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // An import() in the output would go through the ES module loader, which some extension hosts do not allow.
  supported: { 'dynamic-import': false },
  metafile: true,
  logLevel: watching ? 'silent' : 'warning',
};

/**
 * In package.json, `sideEffects` says that nothing happens when a file of src/ is loaded, except those that are programs.
 * So a program takes out of a room's index only what it uses: guard.js has 7 KB instead of 18, mcp.js 490 instead of 501.
 */
const programOptions = (program) => ({
  ...common,
  entryPoints: [program.file],
  outfile: path.join(dist, program.out),
  external: ['vscode'],
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  banner: program.executable ? { js: '#!/usr/bin/env node' } : {},
  plugins: [
    separatePrograms(program.file, path.dirname(path.join(dist, program.out))),
    modulesAsTheyAre,
    ...(watching ? [progress(program.out)] : []),
  ],
});

/** The package folder that an input of a bundle lies in. */
function packageFolderOf(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

function checkContents(program, metafile) {
  const inputs = Object.keys(metafile.inputs);
  const importsIn = (files) => Object.values(files).flatMap((file) => file.imports);
  const shared = importsIn(metafile.inputs).filter(({ kind }) => kind === 'import-statement');
  const externals = [
    ...importsIn(metafile.outputs).map(({ path }) => path),
    ...shared.map(({ path }) => present.find(({ out }) => path === `./${out}`)?.package),
  ];
  for (const name of program.never ?? []) {
    if (
      externals.includes(name) ||
      inputs.some((input) => packageFolderOf(input)?.endsWith(`node_modules/${name}`))
    ) {
      throw new Error(
        `dist/${program.out} must not load ${name}: import that part with import(), see esbuild.mjs.`,
      );
    }
  }
  if (/\(require\("vscode"\)/.test(fs.readFileSync(path.join(dist, program.out), 'utf8'))) {
    throw new Error(
      `dist/${program.out} copies the API: write import * as vscode from 'vscode', see esbuild.mjs.`,
    );
  }
}

function writeFile(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  fs.chmodSync(file, 0o644);
  written.add(file);
}

function copyPrebuilds() {
  const from = path.join(path.dirname(require.resolve('node-pty/package.json')), 'prebuilds');
  for (const target of targets) {
    const files = fs.readdirSync(path.join(from, target), { recursive: true, withFileTypes: true });
    for (const entry of files) {
      const source = path.join(entry.parentPath, entry.name);
      // The console of Windows itself is used, not the newer one in this folder, which is larger than all the rest.
      const isUsed = path.basename(entry.parentPath) !== 'conpty' && !entry.name.endsWith('.pdb');
      if (!entry.isFile() || !isUsed) continue;
      const file = path.join(dist, 'prebuilds', path.relative(from, source));
      fs.mkdirSync(path.dirname(file), { recursive: true });
      // The copy goes to a new file that is then renamed: a running editor may have the old one mapped.
      fs.copyFileSync(source, `${file}.new`);
      fs.chmodSync(`${file}.new`, entry.name === 'spawn-helper' ? 0o755 : 0o644);
      fs.renameSync(`${file}.new`, file);
      written.add(file);
    }
  }
}

/** The packages whose code is in the bundles, or in a binary of node-pty, in the order of their folders. */
function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const inNodePty = createRequire(require.resolve('node-pty')).resolve('node-addon-api/package.json');
  const folders = [
    ...inputs.map(packageFolderOf).filter(Boolean),
    path.relative(root, path.dirname(inNodePty)).replaceAll(path.sep, '/'),
  ];
  return [...new Set(folders)].sort().map((relative) => {
    const folder = path.join(root, relative);
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : `License: ${license}`;
    return { name, version, text };
  });
}

function writeNotices(bundled) {
  const notices = bundled.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`);
  writeFile(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}

function writeSbom(packages) {
  writeFile(path.join(dist, 'sbom.cdx.json'), `${JSON.stringify(makeSbom(root, packages), undefined, 2)}\n`);
}

/** Removes the files of an earlier build. This comes last, so that a build never leaves an editor without its files. */
function prune(folder) {
  if (!fs.existsSync(folder)) return;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      prune(file);
      if (fs.readdirSync(file).length === 0) fs.rmdirSync(file);
    } else if (!written.has(file)) {
      fs.rmSync(file);
    }
  }
}

function copyAssets() {
  copyPrebuilds();
  // A copy of these files may be below a package.json that says "module", such as one in a home.
  writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
  const api = path.join(root, 'src/api/exec-sessions.d.ts');
  if (fs.existsSync(api)) writeFile(path.join(dist, 'exec-sessions.d.ts'), fs.readFileSync(api));
}

async function buildPrograms() {
  const results = await Promise.all(present.map((program) => build(programOptions(program))));
  for (const [index, { metafile }] of results.entries()) {
    checkContents(present[index], metafile);
    for (const output of Object.keys(metafile.outputs)) written.add(path.join(root, output));
    if (present[index].executable) fs.chmodSync(path.join(dist, present[index].out), 0o755);
  }
  copyAssets();
  const packages = bundledPackages(results.map(({ metafile }) => metafile));
  writeNotices(packages);
  if (flags.has('--sbom')) writeSbom(packages);
  prune(dist);
}

async function buildTests() {
  const folder = path.join(root, 'test/vscode');
  const out = path.join(root, 'out/test/vscode');
  const tests = fs
    .readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.join(folder, file));
  const { metafile } = await build({
    ...common,
    entryPoints: [path.join(folder, 'index.ts'), ...tests],
    outbase: folder,
    outdir: out,
    // Not bundled, so that the entry and the test files share one mocha, which Node finds.
    external: ['vscode', 'mocha'],
    sourcemap: 'linked',
    plugins: [separatePrograms()],
  });
  for (const output of Object.keys(metafile.outputs)) written.add(path.join(root, output));
  prune(out);
}

async function watch() {
  copyAssets();
  await Promise.all(present.map(async (program) => (await context(programOptions(program))).watch()));
}

try {
  if (watching) await watch();
  else if (flags.has('--tests')) await buildTests();
  else await buildPrograms();
} catch (error) {
  // esbuild has printed its own errors already.
  if (!error.errors) console.error(error.message);
  process.exitCode = 1;
}
