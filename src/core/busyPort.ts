import type { Variables } from './envPolicy.js';
import { AGENT_PROGRAMS } from './sightings/agentPrograms.js';

/** A line of a program that could not listen where it wanted to, in the words of Node, Go, Ruby, Java and others. */
const REFUSED = /EADDRINUSE|address (?:is )?already in use|port \d+ is (?:already )?in use/i;

/** Words of a program that goes on with another port. */
const GOES_ON =
  /\b(?:try|trying|using|switching to|falling back to) (?:\w+ ){0,2}(?:another|next|different|instead|port)\b|\binstead\b/i;

/**
 * Numbers that are not ports: dates, times of the day, places in files, and the number of the error on Linux, macOS and
 * Windows.
 */
const OTHER_NUMBERS = [
  /(?<![\d.])\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?![.\d])T?/g,
  /(?<![\d.:\]])\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?![\d:])Z?/g,
  /\.[a-z]\w*:\d+(?::\d+)?(?=[:\s),])/gi,
  /(?<![\d:]|port )(?:48|98|10048)(?!\d)/gi,
];

const NUMBER_IN_LINE = /(?<![\d.])\d{2,5}(?![\d.]*\d)/g;

/** The number of characters at the end of an output that are searched. */
const LOOKED_AT = 20_000;

/** The port that a program could not have, as its output says. */
interface BusyPort {
  /** The named port. The caller must check whether a program listens there. */
  readonly port: number | undefined;
}

/**
 * Finds the TCP port that a program could not have because another program listens there; undefined if the output names
 * none.
 */
export function busyPortIn(text: string): BusyPort | undefined {
  const lines = text
    .slice(-LOOKED_AT)
    .split(/\r?\n/)
    .filter((line) => REFUSED.test(line) && !GOES_ON.test(line));
  if (lines.length === 0) {
    return undefined;
  }
  // Node repeats the name of the error on a line without the port.
  const ports = lines.flatMap((line) => portIn(line) ?? []);
  return { port: ports.at(-1) };
}

function portIn(line: string): number | undefined {
  const rest = OTHER_NUMBERS.reduce((text, other) => text.replaceAll(other, ' '), line);
  const numbers = (rest.match(NUMBER_IN_LINE) ?? []).map(Number);
  return numbers.findLast((port) => port >= 1 && port <= 65_535);
}

/** How a session was started. */
interface StartedAs {
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
  const commands = commandsIn(argv);
  // If a more precise form is found, only that one counts.
  const said = [
    commands.flatMap(portsOfArguments),
    commands.flatMap((words) => words.flatMap((word) => VARIABLE.exec(word)?.[1] ?? [])),
    NUMBER.test(env['PORT'] ?? '') ? [env['PORT']] : [],
  ];
  const ports = (said.find((found) => found.length > 0) ?? []).map(Number);
  return [...new Set(ports)].filter((port) => port >= 1 && port <= 65_535);
}

/** Programs that are no servers, or that lead to servers elsewhere; those that end others, before a start anew. */
const NO_SERVER =
  /(?<!la)test|client|admin|bench|(?:^|-)(?:p?kill|killall|check|dump|wait|tunnel)(?:-|$)|^(?:fuser|lsof|adb|lt|ngrok|tmux|screen|zellij|su)$/i;

/** Shells and the like, in which people and agents start other programs. */
const TYPED_INTO =
  /^(?:(?:ba|da|z|k|fi)?sh|pwsh|powershell|cmd\.exe|shell|console|sudo|i?python[\d.]*|node|deno|bun|irb|ruby|php|R|ghci|iex)$/;

/** Programs that only read or print what looks like a command. */
const ABOUT_TEXT = /^(?:echo|printf|e?grep|rg|sed|awk|git|gh|man)$/;

/** The ports at which a command says it will listen; undefined if it is no server that two starts would be for. */
export function portsToBe(argv: readonly string[]): readonly number[] | undefined {
  const commands = commandsIn(argv);
  const isOther = (program: string) =>
    OTHERWISE.has(program) || NO_SERVER.test(program) || AGENT_PROGRAMS.some(({ id }) => id === program);
  const subject = commands.at(-1)?.findLast((word) => !word.startsWith('-')) ?? '';
  return TYPED_INTO.test(programOf(subject)) || commands.flat().map(programOf).some(isOther)
    ? undefined
    : commands
        .filter(([program = '']) => !ABOUT_TEXT.test(programOf(program)))
        .flatMap(portsOfArguments)
        .map(Number);
}

const commandsIn = (argv: readonly string[]) => [
  argv,
  ...argv.filter((word) => /\s/.test(word)).flatMap(commandsOf),
];

const programOf = (word: string): string => word.split(/[/\\]/).at(-1) ?? '';

/** The words of each command of a command line. */
function commandsOf(commandLine: string): readonly (readonly string[])[] {
  return commandLine
    .split(SEPARATOR)
    .map((command) => (command.match(WORD) ?? []).map((word) => word.replaceAll(/["']/g, '')));
}

function portsOfArguments(words: readonly string[]): readonly string[] {
  return words.some((word) => OTHERWISE.has(programOf(word)))
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
