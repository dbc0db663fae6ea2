import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { type HostVariables, isMemberName } from '../../core/index.js';
import type { ListedMember } from './listedMember.js';

const MAX_DEPTH = 16;
const MAX_FILES = 500;
const MAX_FILE_BYTES = 1_000_000;
const SYSTEM_FOLDER = '/etc/ssh';

/** The hosts that the ssh configuration of this user names, in its order. Nothing in it is run. */
export function configuredHosts(env: HostVariables): readonly string[] {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? os.homedir();
  const hosts = new Set<string>();
  const seen = new Set<string>();
  for (const folder of [path.join(home, '.ssh'), SYSTEM_FOLDER]) {
    const file = path.join(folder, folder === SYSTEM_FOLDER ? 'ssh_config' : 'config');
    readConfig(file, { home, folder, hosts, seen }, 0);
  }
  return [...hosts];
}

interface Reading {
  readonly home: string;
  /** Relative includes begin here. */
  readonly folder: string;
  readonly hosts: Set<string>;
  readonly seen: Set<string>;
}

function readConfig(file: string, reading: Reading, depth: number): void {
  if (depth > MAX_DEPTH || reading.seen.size >= MAX_FILES || reading.seen.has(file)) {
    return;
  }
  reading.seen.add(file);
  for (const line of textOf(file).split('\n')) {
    const [, keyword = '', rest = ''] = /^\s*"?([A-Za-z]+)"?(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
    const words = wordsOf(rest);
    if (keyword.toLowerCase() === 'host') {
      for (const word of words) {
        if (!/[*?!]/.test(word) && isMemberName('ssh', word)) reading.hosts.add(word);
      }
    } else if (keyword.toLowerCase() === 'include') {
      for (const word of words) {
        const from = word.replace(/^~(?=\/)/, reading.home);
        for (const included of filesLike(path.resolve(reading.folder, from))) {
          readConfig(included, reading, depth + 1);
        }
      }
    }
  }
}

/** The words of a line, some of them in quotes, until a comment. */
function wordsOf(rest: string): readonly string[] {
  const words = [...rest.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, quoted]) => quoted ?? word);
  const comment = words.findIndex((word) => word.startsWith('#'));
  return comment === -1 ? words : words.slice(0, comment);
}

/** @returns an empty text if it is no file, is too large, or cannot be read. */
function textOf(file: string): string {
  try {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= MAX_FILE_BYTES ? fs.readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

/** The files that a path with `*` and `?` in its names stands for, in order. */
function filesLike(pattern: string): readonly string[] {
  const { root } = path.parse(pattern);
  return pattern
    .slice(root.length)
    .split(path.sep)
    .reduce<readonly string[]>(
      (folders, name) =>
        /[*?]/.test(name)
          ? folders.flatMap((folder) =>
              namesIn(folder)
                .filter(like(name))
                .map((found) => path.join(folder, found)),
            )
          : folders.map((folder) => path.join(folder, name)),
      [root],
    )
    .slice(0, MAX_FILES);
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch {
    return [];
  }
}

/** Whether a name matches a pattern with `*` and `?`. */
export function like(pattern: string): (name: string) => boolean {
  const parts = pattern.split(/([*?])/).map((part) => {
    if (part === '*') return '.*';
    return part === '?' ? '.' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  const expression = new RegExp(`^${parts.join('')}$`);
  return (name) => expression.test(name);
}

/** @param words Hosts, and patterns of the configured ones, with spaces or commas between them. */
export function listHosts(words: string, env: HostVariables): Promise<readonly ListedMember[]> {
  const hosts = configuredHosts(env);
  const named = words.split(/[\s,]+/).filter((word) => word !== '');
  const found = named.flatMap((word) => (/[*?]/.test(word) ? hosts.filter(like(word)) : word));
  const names = [...new Set(found)];
  const wrong = names.find((name) => !isMemberName('ssh', name));
  return wrong === undefined
    ? Promise.resolve(names.map((name) => ({ engine: 'ssh', name, state: 'running' })))
    : Promise.reject(new Error(`${JSON.stringify(wrong)} is no name of a host`));
}
