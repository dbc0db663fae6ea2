import { readFileSync } from 'node:fs';
import path from 'node:path';

import { ownerOf, type ProcessRow } from './processTable.js';

/** Programs that run other programs; the program that they run is more telling. */
const INTERPRETER = /^(?:node|deno|bun|python|pypy|ruby|perl|php|bash|dash|sh|zsh|java)[\d.]*$/;
/** The options of these programs whose value is the program to run. */
const RUNS: readonly string[] = ['-m', '-jar'];

/**
 * A process as people know it: its program, and for an interpreter also the script, such as `node server.js` or
 * `python3 -m http.server`. Other arguments are left out, since they may be secret. The kernel's name, which may be a
 * thread's (`MainThread` for Node 24), stands for a program that cannot be read.
 */
export function commandName({ pid, command }: ProcessRow): string {
  if (ownerOf(pid) !== process.geteuid?.()) {
    // Another user has chosen the arguments: they could say anything.
    return command;
  }
  const [file = '', first = '', second = ''] = argumentsOf(pid);
  const program = path.basename(file) || command;
  if (!INTERPRETER.test(program)) {
    return program;
  }
  if (RUNS.includes(first) && second !== '') {
    return `${program} ${first} ${path.basename(second)}`;
  }
  return first === '' || first.startsWith('-') ? program : `${program} ${path.basename(first)}`;
}

/** The most characters of a command line that are of interest. */
const LONGEST = 256 * 1024;

/** The arguments of a process; empty for one that has ended, for the kernel's, and where they cannot be read. */
export function argumentsOf(pid: number): string[] {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').slice(0, LONGEST).split('\0');
    while (argv.at(-1) === '') {
      argv.pop();
    }
    return argv;
  } catch {
    return [];
  }
}
