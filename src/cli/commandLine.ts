import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import { version } from '../../package.json';
import { checkVariable, type VariableChanges } from '../core/index.js';
import type { LsOptions } from './commands/ls.js';
import type { RunOptions } from './commands/run.js';
import { addSessionCommands } from './sessionCommands.js';
import { addServerCommands } from './serverCommands.js';
import type { CliCommand, Take } from './cliCommand.js';
import { type Console, remark } from './console.js';
import { CliError, EXIT_CODE_HELP, ExitCode } from './exitCodes.js';
import { count } from './numbers.js';
import { parseChoice, parsePlace, type PlaceChoice, PLACE_HELP, placesOf } from './places.js';

const EXAMPLES = `
Examples:
  exec-sessions run -- npm run dev      Run it here; Ctrl-\\ twice detaches
  exec-sessions run --detach -- make    Run it in the background; print its id
  exec-sessions ls                      Running sessions of windows and agents
  exec-sessions attach 3841             Come back to number 3841 of that list
  exec-sessions stop 4f2a dev           Stop two, by their ids or titles
  exec-sessions logs -f dev | grep -i error`;

/** Reads the command line. Help and errors of usage are written at once; then nothing is left to run. */
export function parseCommandLine(console: Console, args: readonly string[]): CliCommand {
  let command: CliCommand | undefined;
  const take: Take = (run, failureCode = ExitCode.failed) => (command = { run, failureCode });
  const program = programOf(console);
  addRun(program, console, take);
  // The arguments of other commands: about all commands, or a mistake.
  if (args[0] !== 'run') {
    addLs(program, console, take);
    addSessionCommands(program, console, take);
    addServerCommands(program, console, take);
  }
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    const code = error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    return { run: () => Promise.resolve(code), failureCode: code };
  }
  if (command === undefined) {
    throw new Error('A command of exec-sessions has no action.');
  }
  return command;
}

function programOf(console: Console): Command {
  return new Command('exec-sessions')
    .description(
      'The sessions of this machine: every process that you and your agents run, in all windows of VS Code and without it.\n' +
        'ID is the beginning of an id, a title, or the number in ls --all, which agents use too.',
    )
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(exec-sessions --help shows how)')
    .configureOutput({
      writeOut: (text) => void console.stdout.write(text),
      writeErr: (text) => void console.stderr.write(text),
      outputError: (text) => remark(console, text.trimEnd().replace(/^error: /, 'exec-sessions: ')),
    })
    .addHelpText('after', EXAMPLES)
    .addHelpText('after', EXIT_CODE_HELP);
}

interface RunFlags extends Omit<RunOptions, 'argv' | 'pipes' | 'detach' | 'keep' | 'on'> {
  readonly pipes?: true;
  readonly detach?: true;
  readonly keep?: true;
  readonly on?: readonly PlaceChoice[];
  readonly jobs: number;
  readonly json?: true;
}

function addRun(program: Command, console: Console, take: Take): void {
  program
    .command('run')
    .description('Run a command as a session, and show it here until it ends. Ctrl-\\ twice detaches')
    .argument('<argv...>', 'The program and its arguments; no shell is involved')
    .option('-t, --title <TITLE>', 'The name in the list')
    .option('--pipes', 'Without a terminal; the default when input or output is not a terminal here')
    .option('-n, --no-input', 'Leave standard input alone, as ssh -n does; the command has none')
    .option('-d, --detach', 'Print the id of the session, and do not wait for it')
    .option('--cwd <DIRECTORY>', 'The directory to run it in (this one)')
    .addOption(
      new Option('--env <NAME=VALUE>', 'Set a variable; can be repeated')
        .argParser(variable)
        .default({}, 'none'),
    )
    .option(
      '--on <PLACE>',
      `Run it on another machine: ${PLACE_HELP}. Can be repeated; 'web-*' stands for all such hosts of the ssh configuration`,
      parseChoice,
    )
    .option('-j, --jobs <N>', 'On several machines: so many side by side', count, 8)
    .option('--json', 'On several machines: the ends as JSON, documented in docs/command-line.md')
    .option('--keep', 'Keep it without a time limit')
    .option('--sandbox', 'Let it write to its directory and /tmp alone, without network')
    .addOption(
      new Option('--write <DIRECTORY>', 'In a sandbox: let it write there too; can be repeated')
        .implies({ sandbox: true })
        .argParser((folder: string, before: readonly string[] | undefined) => [...(before ?? []), folder]),
    )
    .addOption(new Option('--network', 'In a sandbox: let it use the network').implies({ sandbox: true }))
    .passThroughOptions()
    .addHelpText(
      'after',
      `
It exits with the code of the command, or with 128+N if signal N has ended it.
The command gets a terminal where input and output are terminals, and pipes
otherwise. The end of the input closes its input.

Examples:
  exec-sessions run -- npm test -- --watch
  exec-sessions run --title db --detach -- docker compose up
  echo 6*7 | exec-sessions run bc
  exec-sessions run --on build.example.com -- make
  exec-sessions run --on 'web-*' -j 4 -- uptime

EXEC_SESSIONS_TOKEN has the token of a server with an address.`,
    )
    .action((argv: readonly string[], flags: RunFlags) => {
      take(async () => {
        const { pipes = false, detach = false, keep = false, json = false, on = [], jobs } = flags;
        const places = await placesOf(console, on);
        if (json && places.length === 0) {
          throw new CliError('--json needs --on.', ExitCode.usage);
        }
        const [place, ...more] = places;
        const options = { ...flags, argv, pipes, detach, keep };
        if (more.length === 0 && !json) {
          const { run } = await import('./commands/run.js');
          return run(console, { ...options, on: place });
        }
        const { runMany } = await import('./commands/runMany.js');
        return runMany(console, { ...options, json, places, atOnce: jobs });
      }, ExitCode.ownFailure);
    });
}

function addLs(program: Command, console: Console, take: Take): void {
  program
    .command('ls')
    .description('List the running sessions')
    .option('--json', 'As JSON, documented in docs/command-line.md')
    .option('-a, --all', 'Ended sessions as well')
    .option('-q, --quiet', 'Ids alone')
    .option('--on <SERVER>', `Sessions of another machine: ${PLACE_HELP}`, parsePlace)
    .option('-w, --watch', 'Show each change until Ctrl-C; with --json, a line for each')
    .action((flags: Partial<LsOptions>) => {
      take(async () => {
        const { ls } = await import('./commands/ls.js');
        const { json = false, all = false, quiet = false, watch = false, on } = flags;
        return ls(console, { json, all, quiet, watch, on });
      });
    });
}

function variable(text: string, before: VariableChanges): VariableChanges {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (value === undefined || checkVariable(name, value) !== 'ok') {
    throw new InvalidArgumentError('It must be NAME=VALUE.');
  }
  return { ...before, [name]: value };
}
