import fs from 'node:fs';
import path from 'node:path';
import { messageOf, say } from './paths.js';
import { ensureFolder, newProject, npm } from './tools.js';
import { versions } from './versions.js';

/** The program that the interop tests run against our own: a client and a peer of the exec-server. */
export interface Codex {
  /** The program itself, not the launcher that npm puts on the PATH, which is a process of its own. */
  readonly binary: string;
}

/** The variable that says why codex cannot be had; then the tests that need it are not defined. */
export const withoutCodex = 'EXEC_SESSIONS_WITHOUT_CODEX';

/** Whether codex can be had. The rig finds out before it starts tests. */
export function hasCodex(): boolean {
  return process.env[withoutCodex] === undefined;
}

/** The platforms that codex is tested on: Linux alone, since `removeAbandoned` and the tests read /proc. */
const targets: Readonly<Record<string, string>> = {
  x64: 'x86_64-unknown-linux-musl',
  arm64: 'aarch64-unknown-linux-musl',
};

/**
 * Installs codex unless it is there.
 *
 * @throws Error with one line, which says why codex is not available.
 */
export async function ensureCodex(): Promise<Codex> {
  const { codex: version } = versions;
  const target = targets[process.arch];
  if (process.platform !== 'linux' || target === undefined) {
    throw new Error(
      `codex is tested on Linux x64 and arm64, and this is ${process.platform} ${process.arch}`,
    );
  }
  const inFolder = path.join(
    'node_modules/@openai',
    `codex-linux-${process.arch}`,
    'vendor',
    target,
    'bin/codex',
  );
  const folder = await ensureFolder(
    `codex-${version}`,
    JSON.stringify({ codex: version, arch: process.arch }),
    async (staging) => {
      say(`Installing codex ${version} (once, 400 MB)`);
      newProject(staging);
      try {
        // The program is an optional dependency of its launcher.
        await npm(staging, ['install', '--include=optional', `@openai/codex@${version}`], process.env);
      } catch (error) {
        throw new Error(`npm cannot install codex ${version}: ${reasonOf(error)}`, { cause: error });
      }
      if (!fs.existsSync(path.join(staging, inFolder))) {
        throw new Error(`npm installed codex ${version} without ${inFolder}`);
      }
    },
  );
  return { binary: path.join(folder, inFolder) };
}

/** The errors in npm's output, in one line. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  const reasons = [...message.matchAll(/^npm error (.*)$/gm)].map(([, reason = '']) => reason);
  return (reasons.length > 0 ? reasons.slice(0, 4).join(' ') : message).replaceAll(/\s+/g, ' ');
}
