import { readFileSync } from 'node:fs';
import path from 'node:path';

import { type ProcessRow, programName } from './processTable.js';

/** Programs that run others: what they run says more than they do. */
const INTERPRETER = /^(?:node|deno|bun|python|pypy|ruby|perl|php|bash|dash|sh|zsh|java)[\d.]*$/;
/** The options of theirs whose value is what they run. */
const RUNS: readonly string[] = ['-m', '-jar'];

/**
 * A process as people know it: its program, and for an interpreter the script, such as `node server.js` or `python3 -m
 * http.server`. The other arguments are left out: they may be secret.
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
