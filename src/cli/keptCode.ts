import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

import { isOurs } from '../machine/index.js';

/** A program that has been loaded. */
export interface Loaded {
  readonly exports: unknown;
  /** Keeps what V8 has compiled of it by now for the next time, unless the kept code was used. Never throws. */
  readonly keep: () => void;
}

export interface KeptCodeOptions {
  /** Where compiled code is kept. It is not made: a program that leaves nothing else behind leaves no code either. */
  readonly folder: string;
  /** Names what the program is going to do: each use needs other functions. If undefined, nothing is kept. */
  readonly use: string | undefined;
  /** The `require` of the program. */
  readonly load: (id: string) => unknown;
}

/**
 * Loads a program of ours, a CommonJS file of ASCII, with the code that V8 had compiled of it by the end of an earlier run:
 * compiling takes more time than all else that a short command does. Node can do this itself from version 22.1 on, but
 * people have version 20.
 *
 * V8 does not look whether code is damaged, which ends the program, nor whether it belongs to the source. So the code has a
 * digest of both behind it. As code is run, it is only taken from where nobody else can have put it. Whatever is wrong, the
 * program is compiled, and nothing is said.
 */
export function loadKept(file: string, { folder, use, load }: KeptCodeOptions): Loaded {
  const source = fs.readFileSync(file);
  const place = use === undefined ? undefined : path.join(folder, `code-${thisV8()}-${use}`);
  const cachedData = place === undefined ? undefined : read(folder, place, source);
  const script = new vm.Script(
    `(function(exports,require,module,__dirname){${source.toString('latin1')}\n})`,
    {
      filename: file,
      ...(cachedData && { cachedData }),
    },
  );
  const program = script.runInThisContext() as (...surroundings: readonly unknown[]) => void;
  const module = { exports: {} };
  program(module.exports, load, module, path.dirname(file));
  const used = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    exports: module.exports,
    keep: () => {
      if (place !== undefined && !used) {
        write(folder, place, source, script.createCachedData());
      }
    },
  };
}

/** V8 refuses code of another V8, and of one with other options: each has its own, or they would replace each other's. */
function thisV8(): string {
  const what = [process.versions.v8, process.arch, process.execArgv, process.env['NODE_OPTIONS']];
  return createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 12);
}

function digestOf(source: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(source).update(code).digest();
}

const DIGEST_BYTES = 32;

function read(folder: string, place: string, source: Buffer): Buffer | undefined {
  try {
    if (!isSafe(folder, place)) {
      return undefined;
    }
    const content = fs.readFileSync(place);
    const code = content.subarray(0, -DIGEST_BYTES);
    return content.subarray(-DIGEST_BYTES).equals(digestOf(source, code)) ? code : undefined;
  } catch {
    // There is none yet.
    return undefined;
  }
}

/** Whether nobody else can have written it. The folders of Windows for such files belong to one user anyway. */
function isSafe(folder: string, place: string): boolean {
  const { uid, mode } = fs.lstatSync(place);
  return (
    process.platform === 'win32' || (isOurs(folder) && uid === process.getuid?.() && (mode & 0o022) === 0)
  );
}

/** The file appears whole or not at all: others of the same use may do the same at this time. */
function write(folder: string, place: string, source: Buffer, code: Buffer): void {
  const aside = path.join(folder, `.code-${process.pid}-${Date.now()}`);
  try {
    if (process.platform === 'win32' || isOurs(folder)) {
      fs.writeFileSync(aside, Buffer.concat([code, digestOf(source, code)]), { mode: 0o600, flag: 'wx' });
      fs.renameSync(aside, place);
    }
  } catch {
    // It is gone, or full: then it is compiled the next time too. What is left of this is removed with old copies.
  }
}
