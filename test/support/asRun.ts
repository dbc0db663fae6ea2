import { execFileSync } from 'node:child_process';

/** The arguments that a shell hands to the program that a line names. */
export function asRun(program: string, line: string): { argv: readonly string[]; input: string } {
  const tell = `${program}() { printf '%s\\n' "$#" "$@"; cat; }`;
  const [count, ...told] = execFileSync('sh', ['-c', `${tell}\n${line}`], { encoding: 'utf8' }).split('\n');
  const length = Number(count);
  return { argv: told.slice(0, length), input: told.slice(length).join('\n') };
}
