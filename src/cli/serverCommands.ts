import { Argument, type Command } from 'commander';

import { AGENT_PROGRAMS } from '../core/index.js';
import type { Take } from './cliCommand.js';
import { type Completed, completionScript, type Shell, SHELLS } from './commands/completion.js';
import type { Console } from './console.js';
import { ExitCode } from './exitCodes.js';
import { parsePlace, type Place, PLACE_HELP } from './places.js';

/** The commands for the session server, and for the shell. They come last: completion lists all commands. */
export function addServerCommands(program: Command, console: Console, take: Take): void {
  const server = program
    .command('server')
    .description('The session server, which runs the sessions. It ends by itself when it is not needed');
  server
    .command('status')
    .description('Say whether one runs, and how many sessions it has')
    .action(() => {
      take(async () => (await import('./commands/server.js')).serverStatus(console));
    });
  server
    .command('stop')
    .description('End it')
    .option('--force', 'Even if sessions run, which end with it')
    .action(({ force = false }: { readonly force?: boolean }) => {
      take(async () => (await import('./commands/server.js')).serverStop(console, force));
    });
  server
    .command('remove')
    .description('Remove the server, and all that it keeps, from another machine')
    .requiredOption('--on <SERVER>', `The machine: ${PLACE_HELP}`, parsePlace)
    .option('--force', 'Even if sessions run, which end with it')
    .action(({ on, force = false }: { readonly on: Place; readonly force?: boolean }) => {
      take(async () => (await import('./commands/removeServer.js')).serverRemove(console, on, force));
    });
  program
    .command('connect')
    .description('Let an agent use sessions, for its own commands too: show the changes, ask, make them')
    .addArgument(
      new Argument('[AGENT]', 'Without it, what is connected').choices(AGENT_PROGRAMS.map(({ id }) => id)),
    )
    .option('--undo', 'Take the changes back')
    .option('-y, --yes', 'Do not ask')
    .action((agent: string | undefined, { undo, yes }: { readonly undo?: true; readonly yes?: true }) => {
      take(async () => {
        const { connect, listDoors } = await import('./commands/connect.js');
        return agent === undefined
          ? listDoors(console)
          : connect(console, agent, undo === true, yes === true);
      });
    });
  program
    .command('completion')
    .description('Print a script that completes commands and ids in a shell')
    .addArgument(new Argument('<SHELL>', 'The shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  # In ~/.bashrc:
  source <(exec-sessions completion bash)
  # In ~/.zshrc, after compinit if it is there:
  source <(exec-sessions completion zsh)
  # For fish, once:
  mkdir -p ~/.config/fish/completions
  exec-sessions completion fish > ~/.config/fish/completions/exec-sessions.fish`,
    )
    .action((shell: Shell) => {
      take(() => {
        console.stdout.write(completionScript(shell, program.commands.map(completed)));
        return Promise.resolve(ExitCode.done);
      });
    });
}

function completed(command: Command): Completed {
  return {
    name: command.name(),
    description: command.description(),
    options: [
      ...command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : [])),
      ...command.commands.map((inner) => inner.name()),
      ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ],
    takesIds: command.registeredArguments.some((argument) => argument.name() === 'ID'),
  };
}
