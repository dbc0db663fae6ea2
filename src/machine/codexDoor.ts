import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { type Door, type DoorPlace, stateIn } from './door.js';
import { codexHome } from './mcpDoor.js';

const ARGS = ['bridge', '--stdio', '--sessions'];

/** The door by which Codex runs its own commands as sessions: a file of its own that names our program. */
export function codexDoor({ env, program: [program, ...before] }: DoorPlace): Door {
  const file = path.join(codexHome(env), 'environments.toml');
  // Strings and arrays of strings are the same in JSON and in TOML.
  const lines = [
    'default = "exec-sessions"',
    'include_local = false',
    '[[environments]]',
    'id = "exec-sessions"',
    `program = ${JSON.stringify(program)}`,
    `args = ${JSON.stringify([...before, ...ARGS])}`,
  ];
  const text = `${lines.join('\n')}\n`;
  return {
    what: 'commands',
    state: stateIn(file, (found) => (found === text ? 'open' : { why: `${file} has other environments` })),
    opening: [
      `make ${file}:`,
      ...lines.map((line) => `  ${line}`),
      'With include_local = false, Codex has no shell if this program cannot start.',
    ],
    closing: [`remove ${file}`],
    change: {
      open: () => {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      },
      close: () => rmSync(file),
    },
    args: ARGS,
  };
}
