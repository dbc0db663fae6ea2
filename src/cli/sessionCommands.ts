import { type Command, InvalidArgumentError, Option } from 'commander';

import type { Take } from './cliCommand.js';
import type { AttachOptions } from './commands/attach.js';
import type { LogsOptions } from './commands/logs.js';
import type { SendOptions } from './commands/send.js';
import type { Goal } from './commands/wait.js';
import type { Console } from './console.js';
import { ExitCode } from './exitCodes.js';
import { timeOf } from './times.js';

const SECOND_MS = 1_000;

/** The commands for sessions that are there. */
export function addSessionCommands(program: Command, console: Console, take: Take): void {
  addViews(program, console, take);
  addInput(program, console, take);
  addEnds(program, console, take);
}

function addViews(program: Command, console: Console, take: Take): void {
  program
    .command('attach')
    .description('Show a session here, and type into it. Ctrl-\\ twice detaches')
    .argument('<ID>', 'A session')
    .option('--read-only', 'Watch without typing; Ctrl-C detaches too')
    .option('--take-control', 'Type into a session that an agent controls')
    .addHelpText('after', '\nIt exits with the code of the session, and with 0 when detached.')
    .action((id: string, flags: Partial<AttachOptions>) => {
      take(async () => {
        const { attach } = await import('./commands/attach.js');
        const { readOnly = false, takeControl = false } = flags;
        return attach(console, id, { readOnly, takeControl });
      }, ExitCode.ownFailure);
    });
  program
    .command('logs')
    .description('Print the output of a session, as far as it is kept')
    .argument('<ID>', 'A session')
    .option('-f, --follow', 'New output as well, until the session ends')
    .addOption(
      new Option(
        '--since <TIME>',
        'Only the output from then on: 90s, 10m, 2h, 1d ago, or a date and time',
      ).argParser((text: string) => timeOf(text, console.clock.wallTime())),
    )
    .option('--plain', 'Without colours and other escape sequences; each line in its last state')
    .addHelpText(
      'after',
      '\nExamples:\n  exec-sessions logs dev --since 10m\n  exec-sessions logs -f dev --since 2026-11-26T09:30',
    )
    .action((id: string, flags: Partial<LogsOptions>) => {
      take(async () => {
        const { logs } = await import('./commands/logs.js');
        const { follow = false, since, plain = false } = flags;
        return logs(console, id, { follow, since, plain });
      });
    });
  program
    .command('search')
    .description('Print the lines that contain a text, in the output of all sessions')
    .argument('<TEXT>', 'The text, literally')
    .option('-i, --ignore-case', 'Ignore upper and lower case')
    .action((text: string, { ignoreCase = false }: { readonly ignoreCase?: boolean }) => {
      take(async () => (await import('./commands/search.js')).search(console, text, ignoreCase));
    });
}

function addInput(program: Command, console: Console, take: Take): void {
  program
    .command('send')
    .description('Type a text into a session, followed by Enter')
    .argument('<ID>', 'A session')
    .argument('<TEXT>', 'The text')
    .option('-n, --no-enter', 'Without Enter')
    .option('--take-control', 'Type into a session that an agent controls')
    .addHelpText('after', "\nExample of an interrupt:\n  exec-sessions send -n dev $'\\x03'")
    .action((id: string, text: string, { enter, takeControl = false }: Partial<SendOptions>) => {
      take(async () =>
        (await import('./commands/send.js')).send(console, id, text, { enter: enter ?? true, takeControl }),
      );
    });
  program
    .command('wait')
    .description('Wait for the end of a session, or for something that it does')
    .argument('<ID>', 'A session')
    .addOption(
      new Option(
        '--for <GOAL>',
        'The program has exited (exit), or nothing holds its output open either (closed). A line of its output matches, also an earlier one (/RE/). It listens at port N (port:N), or at a port that its output names (port, printed)',
      )
        .argParser(goal)
        .default({ kind: 'exit' } satisfies Goal, 'exit'),
    )
    .option('--timeout <SECONDS>', 'Exit with 124 after this time', seconds)
    .addHelpText(
      'after',
      '\nFor exit and closed it exits with the code of the session.\n\nExample:\n  exec-sessions wait dev --for /ready/i --timeout 60\n  curl localhost:$(exec-sessions wait dev --for port)',
    )
    .action((id: string, flags: { readonly for: Goal; readonly timeout?: number }) => {
      take(
        async () =>
          (await import('./commands/wait.js')).wait(console, id, { goal: flags.for, limitMs: flags.timeout }),
        ExitCode.ownFailure,
      );
    });
  program
    .command('rename')
    .description('Give a session another title')
    .argument('<ID>', 'A session')
    .argument('<TITLE>', 'The title; an empty one removes it')
    .action((id: string, title: string) => {
      take(async () => (await import('./commands/keepBook.js')).rename(console, id, title));
    });
}

function addEnds(program: Command, console: Console, take: Take): void {
  program
    .command('stop')
    .description('Stop sessions step by step (interrupt, hang up, terminate, kill), and say what is left')
    .argument('<ID...>', 'Sessions')
    .action((ids: readonly string[]) => {
      take(async () => (await import('./commands/stop.js')).stop(console, ids));
    });
  program
    .command('kill')
    .description('Kill sessions at once, with everything that belongs to them')
    .argument('<ID...>', 'Sessions')
    .action((ids: readonly string[]) => {
      take(async () => (await import('./commands/stop.js')).kill(console, ids));
    });
  program
    .command('signal')
    .description('Send a signal to the processes of a session')
    .argument('<ID>', 'A session')
    .argument('<SIGNAL>', 'A name, such as HUP or SIGUSR1')
    .action((id: string, name: string) => {
      take(async () => (await import('./commands/stop.js')).signal(console, id, name));
    });
  program
    .command('rm')
    .description('Remove ended sessions from the list, with their output')
    .argument('<ID...>', 'Sessions that have ended')
    .action((ids: readonly string[]) => {
      take(async () => (await import('./commands/keepBook.js')).remove(console, ids));
    });
}

function goal(text: string): Goal {
  const [, pattern, flags] = /^\/(.+)\/([iu]*)$/s.exec(text) ?? [];
  const port = Number(/^port:(\d{1,5})$/.exec(text)?.[1]);
  if (text === 'exit' || text === 'closed') {
    return { kind: text };
  }
  if (pattern !== undefined) {
    return { kind: 'output', pattern: regularExpression(pattern, flags) };
  }
  if (text === 'port') {
    return { kind: 'port' };
  }
  if (port > 0 && port < 65_536) {
    return { kind: 'port', port };
  }
  throw new InvalidArgumentError('It must be exit, closed, /RE/, port or port:N.');
}

function regularExpression(pattern: string, flags: string | undefined): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || number > 2_000_000) {
    throw new InvalidArgumentError('It must be a number of seconds.');
  }
  return number * SECOND_MS;
}
