import type { Variables } from '../../core/index.js';

/** How a session was started. */
export interface StartedAs {
  readonly argv: readonly string[];
  /** The variables that it was given. */
  readonly env: Variables;
}

/** A part of a command line that means nothing to those beside it: `;`, `&&`, `|` and the like end a command. */
const SEPARATOR = /[;&|\n()]+/;

/** Words of a command line, roughly as a shell makes them: quotes hold one together, and are no part of it. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** Programs whose `-p` or `--port` is no port of this machine that they listen at: that of a peer, or no port at all. */
const OTHERWISE = new Set(
  (
    'ssh scp sftp autossh rsync psql pg_isready mysql mariadb mysqldump redis-cli mongosh mongo telnet curl wget nc ncat ' +
    'netcat socat nmap docker podman kubectl nerdctl mkdir cp install tar strace ltrace gdb perf lsof taskset renice top ps kill'
  ).split(' '),
);

const OPTION = /^(?:-p|--port)$/;
const OPTION_WITH_VALUE = /^(?:-p|--port)=(\d{2,5})$/;
const VARIABLE = /^PORT=(\d{2,5})$/;
const NUMBER = /^\d{2,5}$/;
/** A server of Python, whose port is a word of its own. */
const PYTHON_MODULE = 'http.server';

/**
 * The TCP ports that a program was told to listen at, the likeliest first: by its arguments, else by the variable `PORT`.
 * Whether anybody listens there must be looked up.
 */
export function wantedPorts({ argv, env }: StartedAs): readonly number[] {
  const commands = [argv, ...argv.filter((word) => /\s/.test(word)).flatMap(commandsOf)];
  // What is said more precisely counts alone.
  const said = [
    commands.flatMap(portsOfArguments),
    commands.flatMap((words) => words.flatMap((word) => VARIABLE.exec(word)?.[1] ?? [])),
    NUMBER.test(env['PORT'] ?? '') ? [env['PORT']] : [],
  ];
  const ports = (said.find((found) => found.length > 0) ?? []).map(Number);
  return [...new Set(ports)].filter((port) => port >= 1 && port <= 65_535);
}

/** The words of each command of a command line. */
function commandsOf(commandLine: string): readonly (readonly string[])[] {
  return commandLine
    .split(SEPARATOR)
    .map((command) => (command.match(WORD) ?? []).map((word) => word.replaceAll(/["']/g, '')));
}

function portsOfArguments(words: readonly string[]): readonly string[] {
  if (words.some((word) => OTHERWISE.has(word.split('/').at(-1) ?? ''))) {
    return [];
  }
  return words.flatMap((word, place) => {
    const [, joined] = OPTION_WITH_VALUE.exec(word) ?? [];
    if (joined !== undefined) {
      return [joined];
    }
    const behind = words.slice(place + 1);
    const next = word === PYTHON_MODULE ? behind.find((one) => NUMBER.test(one)) : behind[0];
    const isPort = word === PYTHON_MODULE || OPTION.test(word);
    return isPort && next !== undefined && NUMBER.test(next) ? [next] : [];
  });
}
