import path from 'node:path';
import { inflateSync } from 'node:zlib';

import { isRecord, type VariableChanges } from '../../core/index.js';

/** Readers of what tools print. All of it is checked here before anything uses it. */

const MOST_CHARACTERS = 500_000;
/** A single variable has at most 128 KB. */
const LONGEST_VALUE = 100_000;
const MOST_WATCHED = 300;

/** The folders of a PATH that are whole paths: others would depend on the folder of the command. */
export function foldersOf(searchPath: string): readonly string[] {
  return searchPath.split(':').filter((folder) => path.isAbsolute(folder));
}

/** The folders of the PATH between two markers in the output of a login shell, if it has one. */
export function loginPathIn(output: string, before: string, after: string): readonly string[] {
  const [, list = ''] = output.split(`${before}\n`, 2);
  const entries = list.includes(after) ? list.split(after, 1)[0]?.split('\0') : [];
  const searchPath = entries?.find((entry) => entry.startsWith('PATH='))?.slice('PATH='.length) ?? '';
  return searchPath.length > LONGEST_VALUE ? [] : foldersOf(searchPath);
}

/** The changes in the JSON of a tool, where null removes a variable; undefined if it is anything else, or too much. */
export function changesIn(output: string): VariableChanges | undefined {
  const value = output === '' ? {} : jsonIn(output);
  const isChange = ([name, one]: [string, unknown]): boolean =>
    /^[A-Za-z_]\w*$/.test(name) &&
    (one === null || (typeof one === 'string' && one.length <= LONGEST_VALUE && !one.includes('\0')));
  return isRecord(value) && output.length <= MOST_CHARACTERS && Object.entries(value).every(isChange)
    ? (value as VariableChanges)
    : undefined;
}

/** The files on which an export of direnv depends. It names them even if it refuses an `.envrc`. */
export function watchedIn(output: string): readonly string[] {
  const value = jsonIn(output);
  const packed = isRecord(value) ? value['DIRENV_WATCHES'] : undefined;
  const bytes = Buffer.from(typeof packed === 'string' ? packed : '', 'base64url');
  const files = jsonIn(() => inflateSync(bytes, { maxOutputLength: MOST_CHARACTERS }).toString());
  return (Array.isArray(files) ? files : [])
    .slice(0, MOST_WATCHED)
    .map((file: unknown) => (isRecord(file) ? (file['path'] ?? file['Path']) : undefined))
    .filter(
      (file): file is string => typeof file === 'string' && path.isAbsolute(file) && !file.includes('\0'),
    );
}

function jsonIn(text: string | (() => string)): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : text());
  } catch {
    return undefined;
  }
}

/** The version in an `.nvmrc`: its first line that is no comment. It becomes an argument, so it must not be an option. */
export function nodeVersionIn(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const version = lines.find((line) => line !== '') ?? '';
  return /^[A-Za-z0-9][\w./*-]{0,40}$/.test(version) ? version : undefined;
}

/** The folders that a tool has put before those that it was given; all of its folders if it changed these. */
export function foldersBefore(searchPath: string, given: string): readonly string[] {
  return foldersOf(searchPath.endsWith(`:${given}`) ? searchPath.slice(0, -given.length) : searchPath);
}
