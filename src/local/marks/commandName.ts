import { readFileSync } from 'node:fs';
import path from 'node:path';

import { type ProcessRow, programName } from './processTable.js';

/** Programs that run other programs; the program that they run is more telling. */
const INTERPRETER = /^(?:node|deno|bun|python|pypy|ruby|perl|php|bash|dash|sh|zsh|java)[\d.]*$/;
/** The options of these programs whose value is the program to run. */
const RUNS: readonly string[] = ['-m', '-jar'];

/**
 * A process as people know it: its program, and for an interpreter also the script, such as `node server.js` or
 * `python3 -m http.server`. Other arguments are left out, since they may be secret.
 */
export function commandName(row: ProcessRow): string {
  const program = programName(row);
  const [first = '', second = ''] = INTERPRETER.test(program) ? argumentsOf(row.pid) : [];
  if (RUNS.includes(first) && second !== '') {
    return `${program} ${first} ${path.basename(second)}`;
  }
  return first === '' || first.startsWith('-') ? program : `${program} ${path.basename(first)}`;
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1);
  } catch {
    return [];
  }
}
