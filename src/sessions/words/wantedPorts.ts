import type { Variables } from '../../core/index.js';

/** How a session was started. */
export interface StartedAs {
  readonly argv: readonly string[];
  /** The variables that it was given. */
  readonly env: Variables;
}

/** A part of a command line that ends at `;`, `&&`, `|` and the like. */
const SEPARATOR = /[;&|\n()]+/;

/** Words of a command line, roughly as a shell makes them. Quotes hold a word together and are not part of it. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** Programs whose `--port` is not a port where they listen: it belongs to a peer, or means something else. */
const OTHERWISE = new Set(
  (
    'ssh scp sftp autossh rsync psql pg_isready mysql mariadb mysqldump redis-cli mongosh mongo telnet curl wget nc ncat ' +
    'netcat socat nmap docker podman kubectl nerdctl'
  ).split(' '),
);

/**
 * A word that makes a following `-p` a port: a known server, a name like one, a script, or a program of the project. In
 * most programs `-p` has another meaning (`mkdir -p`, `node -p`).
 */
const SERVER =
  /^(?:rails|rackup|puma|thin|unicorn|next|nuxt|nuxi|astro|gatsby|vite|hugo|flask|mkdocs|jekyll|dev|start|run)$|(?:^|[-./_]|run)(?:serve|server|httpd)$|\.(?:[cm]?[jt]sx?|py|rb|php|pl|jar)$|^\.{1,2}\//;

const LONG_OPTION = /^--port(?:=(\d{2,5}))?$/;
const SHORT_OPTION = /^-p(?:=(\d{2,5}))?$/;
/** The address of PHP's own server: `-S localhost:8000`. */
const PHP_OPTION = '-S';
const ADDRESS = /^[\w.[\]:-]*:(\d{2,5})$/;
const VARIABLE = /^PORT=(\d{2,5})$/;
const NUMBER = /^\d{2,5}$/;
/** A server of Python, whose port is a word of its own. */
const PYTHON_MODULE = 'http.server';

/**
 * The TCP ports that a program was told to listen at, the likeliest first: by its arguments, else by the variable
 * `PORT`. The caller must check whether a program listens there.
 */
export function wantedPorts({ argv, env }: StartedAs): readonly number[] {
  const commands = [argv, ...argv.filter((word) => /\s/.test(word)).flatMap(commandsOf)];
  // If a more precise form is found, only that one counts.
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
  const programs = words.map((word) => word.split('/').at(-1) ?? '');
  return programs.some((program) => OTHERWISE.has(program))
    ? []
    : words.flatMap((word, place) => portAt(words, place, word) ?? []);
}

/** The port that a word names, together with the words around it. */
function portAt(words: readonly string[], place: number, word: string): string | undefined {
  const before = words.slice(0, place);
  const behind = words.slice(place + 1);
  if (word === PYTHON_MODULE) {
    return behind.find((one) => NUMBER.test(one));
  }
  if (word === PHP_OPTION && before.some((one) => /(?:^|\/)php[\d.]*$/.test(one))) {
    return ADDRESS.exec(behind[0] ?? '')?.[1];
  }
  const isServer = () => before.some((one) => SERVER.test(one));
  const option = LONG_OPTION.exec(word) ?? (isServer() ? SHORT_OPTION.exec(word) : null);
  if (option === null) {
    return undefined;
  }
  return option[1] ?? (NUMBER.test(behind[0] ?? '') ? behind[0] : undefined);
}
