import fs from 'node:fs';
import path from 'node:path';
import { runOwned } from './lifetime.js';
import { messageOf, root, say } from './paths.js';
import { versions, type VsCodeVersion } from './versions.js';

/** A VS Code that runs on a server, and the Node that it runs on. */

export interface Tools {
  readonly node: string;
  readonly codeServer: string;
  readonly version: VsCodeVersion;
}

const toolsFolder = process.env['EXEC_SESSIONS_TOOLS'] ?? path.join(root, '.tools');

/** A file that is written last: if its content is right, everything beside it is complete. */
const stampName = 'complete.json';

/** Installs Node and code-server unless they are there; by default the newest version that the rig knows. */
export async function ensureTools(version: VsCodeVersion = versions.newest): Promise<Tools> {
  if (process.platform !== 'linux') {
    throw new Error(
      'The browser rig runs on Linux. Elsewhere install VS Code with its `code` command: see npm run test:desktop.',
    );
  }
  const nodePackage = `node-linux-${process.arch}`;
  const { node, codeServer } = version;
  const folder = await ensureFolder(
    `code-server-${codeServer}-${nodePackage}-${node}`,
    JSON.stringify({ node, codeServer, arch: process.arch, overrides: version.overrides }),
    (staging) => install(staging, nodePackage, version),
  );
  return {
    node: path.join(folder, 'node/node_modules', nodePackage, 'bin/node'),
    codeServer: path.join(folder, 'code-server/node_modules/code-server/out/node/entry.js'),
    version,
  };
}

/**
 * Returns a folder of the tools, which `fill` fills unless it has its stamp. Two runs at once do not disturb each
 * other.
 */
export async function ensureFolder(
  name: string,
  stamp: string,
  fill: (staging: string) => Promise<void>,
): Promise<string> {
  const folder = path.join(toolsFolder, name);
  if (!hasStamp(folder, stamp)) {
    fs.mkdirSync(toolsFolder, { recursive: true });
    removeAbandoned();
    // The folder is filled beside its place and then moved there, so that an interrupted run leaves nothing half done.
    const staging = path.join(toolsFolder, `.new-${process.pid}`);
    try {
      await fill(staging);
      fs.writeFileSync(path.join(staging, stampName), stamp);
      if (!hasStamp(folder, stamp)) {
        fs.rmSync(folder, { recursive: true, force: true });
        fs.renameSync(staging, folder);
      }
    } finally {
      fs.rmSync(staging, { recursive: true, force: true });
    }
  }
  return folder;
}

function hasStamp(folder: string, stamp: string): boolean {
  try {
    return fs.readFileSync(path.join(folder, stampName), 'utf8') === stamp;
  } catch {
    return false;
  }
}

function removeAbandoned(): void {
  for (const name of fs.readdirSync(toolsFolder)) {
    const pid = /^\.new-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !fs.existsSync(`/proc/${pid}`)) {
      fs.rmSync(path.join(toolsFolder, name), { recursive: true, force: true });
    }
  }
}

async function install(folder: string, nodePackage: string, version: VsCodeVersion): Promise<void> {
  const started = Date.now();
  const { codeServer, node } = version;
  say(
    `Installing code-server ${codeServer}, a VS Code for the browser (once, one to five minutes, 230 MB to download, 800 MB on disk)`,
  );
  say(`  Node ${node}`);
  const nodeFolder = path.join(folder, 'node');
  const nodeRoot = path.join(nodeFolder, 'node_modules', nodePackage);
  newProject(nodeFolder);
  await npm(nodeFolder, ['install', `${nodePackage}@${node}`], process.env);

  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    // Variables of an npm that runs this script describe this repository, not that project.
    if (/^npm_(package|lifecycle|config_(local_prefix|global_prefix|prefix|allow_scripts))/.test(name)) {
      Reflect.deleteProperty(env, name);
    }
  }
  env['PATH'] = `${path.join(nodeRoot, 'bin')}${path.delimiter}${env['PATH'] ?? ''}`;
  // node-gyp would download the headers; this package carries them.
  env['npm_config_nodedir'] = nodeRoot;

  const serverFolder = path.join(folder, 'code-server');
  newProject(serverFolder, version.overrides);
  say('  code-server');
  // The install scripts would compile for minutes; the packages have the same as binaries.
  await npm(serverFolder, ['install', '--ignore-scripts', `code-server@${codeServer}`], env);
  const vscode = path.join(serverFolder, 'node_modules/code-server/lib/vscode');
  say('  the packages of VS Code and of its extensions');
  await npm(vscode, ['install', '--ignore-scripts', '--omit=dev'], env);
  await npm(path.join(vscode, 'extensions'), ['install', '--ignore-scripts', '--omit=dev'], env);
  try {
    if (version.compiled.length > 0) {
      say('  its logger, which is compiled');
      await npm(vscode, ['rebuild', ...version.compiled], env);
    }
  } catch (error) {
    say(
      `VS Code will write no log files: its logger could not be compiled (${messageOf(error).split('\n')[0] ?? ''})`,
    );
  }
  say(`Installed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

/** Makes a folder a project of its own for npm, which would otherwise install into one above it. */
export function newProject(folder: string, overrides: Readonly<Record<string, string>> = {}): void {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
}

export async function npm(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  await runOwned('npm', [...args, '--no-audit', '--no-fund', '--prefix', cwd], { cwd, env });
}
