import fs from 'node:fs';
import path from 'node:path';
import { messageOf, say } from './paths.js';
import { ensureFolder, newProject, npm } from './tools.js';
import { versions } from './versions.js';

/** The program that the interop tests run against our own: a client and a peer of the exec-server. */
export interface Codex {
  /** The program itself. What npm puts on the PATH is a launcher in front of it, with a process of its own. */
  readonly binary: string;
}

/** `removeAbandoned` asks /proc who still lives, and the tests look into it as well. */
const targets: Readonly<Record<string, string>> = {
  x64: 'x86_64-unknown-linux-musl',
  arm64: 'aarch64-unknown-linux-musl',
};

/** Installs codex unless it is there. @throws Error of one line, which says why it cannot be had. */
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
        // The program comes as an optional dependency of its launcher.
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

/** What npm calls an error among all that it prints, in one line. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  const reasons = [...message.matchAll(/^npm error (.*)$/gm)].map(([, reason = '']) => reason);
  return (reasons.length > 0 ? reasons.slice(0, 4).join(' ') : message).replaceAll(/\s+/g, ' ');
}
