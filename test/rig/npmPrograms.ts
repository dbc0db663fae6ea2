import fs from 'node:fs';
import path from 'node:path';
import { messageOf, say } from './paths.js';
import { ensureFolder, newProject, npm } from './tools.js';
import { versions } from './versions.js';

/** The programs from npm that our own are tested with, each in a folder of its own. */
interface NpmProgram {
  readonly version: string;
  /** The packages to install. The first one is that of the program. */
  readonly packages: readonly string[];
  readonly megabytes: number;
  /** The file in `node_modules` that is run: the program itself, not a launcher, which is a process of its own. */
  readonly file: string;
}

const { arch } = process;

/** The name of this processor in the releases of Codex. */
const codexTarget = `${arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`;

const npmPrograms = {
  codex: {
    version: versions.codex,
    packages: [`@openai/codex@${versions.codex}`],
    megabytes: 400,
    file: `@openai/codex-linux-${arch}/vendor/${codexTarget}/bin/codex`,
  },
  claude: {
    version: versions.claude,
    packages: [`@anthropic-ai/claude-code@${versions.claude}`],
    megabytes: 370,
    file: `@anthropic-ai/claude-code-linux-${arch}/claude`,
  },
  gemini: {
    version: versions.gemini,
    packages: [`@google/gemini-cli@${versions.gemini}`],
    megabytes: 100,
    file: '@google/gemini-cli/bundle/gemini.js',
  },
  /** Copilot CLI, opencode and Qwen Code. */
  agents: {
    version: `${versions.copilot}-${versions.opencode}-${versions.qwen}`,
    packages: [
      // The package `opencode-ai` has the program twice.
      `opencode-linux-${arch}@${versions.opencode}`,
      `@github/copilot@${versions.copilot}`,
      `@qwen-code/qwen-code@${versions.qwen}`,
    ],
    megabytes: 510,
    file: `opencode-linux-${arch}/bin/opencode`,
  },
  conformance: {
    version: versions.conformance,
    // It needs Node 22 or later.
    packages: [
      `@modelcontextprotocol/conformance@${versions.conformance}`,
      `node-linux-${arch}@${versions.newest.node}`,
    ],
    megabytes: 180,
    file: '@modelcontextprotocol/conformance/dist/index.js',
  },
  conformanceOfTasks: {
    version: versions.conformanceOfTasks,
    packages: [
      `@modelcontextprotocol/conformance@${versions.conformanceOfTasks}`,
      `node-linux-${arch}@${versions.newest.node}`,
    ],
    megabytes: 180,
    file: '@modelcontextprotocol/conformance/dist/index.js',
  },
  /** The versions of Node that our npm package is tested with. */
  nodes: {
    version: Object.values(versions.nodes).join('-'),
    packages: Object.entries(versions.nodes).map(
      ([name, version]) => `${name}@npm:node-linux-${arch}@${version}`,
    ),
    megabytes: 330,
    file: 'node20/bin/node',
  },
} as const satisfies Readonly<Record<string, NpmProgram>>;

export type NpmProgramName = keyof typeof npmPrograms;

export const npmProgramNames = Object.keys(npmPrograms) as NpmProgramName[];

/** The variable that says why a program cannot be had; then the tests that need it are not defined. */
export function withoutProgram(name: NpmProgramName): string {
  return `EXEC_SESSIONS_WITHOUT_${name.toUpperCase()}`;
}

/** Whether a program can be had. The rig finds out before it starts tests. */
export function hasProgram(name: NpmProgramName): boolean {
  return process.env[withoutProgram(name)] === undefined;
}

/** The rows of a table of tests that need a program; no rows where the program cannot be had. */
export function ifProgram<Row>(name: NpmProgramName, ...rows: readonly Row[]): readonly Row[] {
  return hasProgram(name) ? rows : [];
}

/** An installed program. */
export interface Installed {
  readonly file: string;
  /** The folder of its packages. */
  readonly modules: string;
}

/**
 * Installs a program unless it is there. All are tested on Linux x64 and arm64 alone, since the tests read /proc.
 *
 * @throws Error with one line, which says why the program is not available.
 */
export async function ensureProgram(name: NpmProgramName): Promise<Installed> {
  const { version, packages, megabytes, file } = npmPrograms[name];
  if (process.platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    throw new Error(`${name} is tested on Linux x64 and arm64, and this is ${process.platform} ${arch}`);
  }
  const folder = await ensureFolder(
    `${name}-${version}`,
    JSON.stringify({ [name]: version, arch }),
    async (staging) => {
      say(`Installing ${name} ${version} (once, ${megabytes} MB)`);
      newProject(staging);
      try {
        // Programs for one platform are optional dependencies of their launchers.
        await npm(staging, ['install', '--include=optional', '--ignore-scripts', ...packages], process.env);
      } catch (error) {
        throw new Error(`npm cannot install ${name} ${version}: ${reasonOf(error)}`, { cause: error });
      }
      if (!fs.existsSync(path.join(staging, 'node_modules', file))) {
        throw new Error(`npm installed ${name} ${version} without ${file}`);
      }
    },
  );
  const modules = path.join(folder, 'node_modules');
  return { file: path.join(modules, file), modules };
}

/** The errors in npm's output, in one line. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  const reasons = [...message.matchAll(/^npm error (.*)$/gm)].map(([, reason = '']) => reason);
  return (reasons.length > 0 ? reasons.slice(0, 4).join(' ') : message).replaceAll(/\s+/g, ' ');
}
