import { type Command, InvalidArgumentError, Option } from 'commander';

import { AGENT_PROGRAMS } from '../core/index.js';
import type { Take } from './cliCommand.js';
import { bytes, count, span, spanOf } from './numbers.js';
import type { AttachOptions } from './commands/attach.js';
import type { CleanupOptions } from './commands/cleanup.js';
import type { LogsOptions } from './commands/logs.js';
import type { SendOptions } from './commands/send.js';
import type { Goal } from './commands/wait.js';
import type { Console } from './console.js';
import { ExitCode } from './exitCodes.js';

const SECOND_MS = 1_000;

/** The commands for sessions, and for the receipts and leftovers of ended ones. */
export function addSessionCommands(program: Command, console: Console, take: Take): void {
  addViews(program, console, take);
  addInput(program, console, take);
  addEnds(program, console, take);
  addReceipts(program, console, take);
  addCleanup(program, console, take);
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
        'The event to wait for: the program exits (exit), or its output ends as well (closed). Or a line of its output matches, also an earlier one (/RE/). Or it listens at port N (port:N), or at a port that its output names (port, printed)',
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
      take(async () => (await import('./commands/renameAndRemove.js')).rename(console, id, title));
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
      take(async () => (await import('./commands/renameAndRemove.js')).remove(console, ids));
    });
}

function addReceipts(program: Command, console: Console, take: Take): void {
  program
    .command('receipts')
    .description('List how sessions have ended, also after their server')
    .option('--json', 'As JSON, documented in docs/command-line.md')
    .option('-n, --limit <N>', 'Only the last N (50; with --json, all)', count)
    .action(({ json = false, limit }: { readonly json?: boolean; readonly limit?: number }) => {
      take(async () => (await import('./commands/receipts.js')).receipts(console, { json, limit }));
    });
  const leftovers = program
    .command('leftovers')
    .description('List the processes that sessions have left running')
    .option('--json', 'As JSON, documented in docs/command-line.md')
    .action(({ json = false }: { readonly json?: boolean }) => {
      take(async () => (await import('./commands/leftovers.js')).leftovers(console, json));
    });
  leftovers
    .command('stop')
    .description('End one of them')
    .argument('<PID>', 'Its number in the list', count)
    .action((pid: number) => {
      take(async () => (await import('./commands/leftovers.js')).stopLeftover(console, pid));
    });
}

function addCleanup(program: Command, console: Console, take: Take): void {
  program
    .command('cleanup')
    .description('List the processes that ended sessions and agents have left, and end them with --yes')
    .addOption(
      new Option('--agent <NAME>', 'Only those of an agent').choices(AGENT_PROGRAMS.map(({ id }) => id)),
    )
    .option('--conversation <ID>', 'Only those of a conversation')
    .option('--older <TIME>', 'Only those that were started so long ago: 90s, 10m, 2h, 1d', span)
    .option('--memory <SIZE>', 'Only those that use so much: 500M, 2G', bytes)
    .option('--folder <DIRECTORY>', 'Only those that run there, or in a folder of it')
    .option('--port <N>', 'Only those that listen at a port', count)
    .option('-y, --yes', 'End them, with everything below them; needs one of the choices above')
    .option('--json', 'As JSON, documented in docs/command-line.md')
    .addHelpText(
      'after',
      `
It ends nothing without --yes. Even then it spares what has detached itself,
what others use too, and what is known by a variable of an agent alone.

Examples:
  exec-sessions cleanup
  exec-sessions cleanup --agent claude --older 2h --yes`,
    )
    .action((flags: CleanupOptions) => {
      take(async () => (await import('./commands/cleanup.js')).cleanup(console, flags));
    });
}

function goal(text: string): Goal {
  const [, pattern, flags = ''] = /^\/(.+)\/(i?)$/s.exec(text) ?? [];
  const port = Number(/^port:(\d{1,5})$/.exec(text)?.[1]);
  if (text === 'exit' || text === 'closed') {
    return { kind: text };
  }
  if (pattern !== undefined) {
    return { kind: 'output', pattern, ignoreCase: flags.includes('i') };
  }
  if (text === 'port') {
    return { kind: 'port' };
  }
  if (port > 0 && port < 65_536) {
    return { kind: 'port', port };
  }
  throw new InvalidArgumentError('It must be exit, closed, /RE/, port or port:N.');
}

function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || number > 2_000_000) {
    throw new InvalidArgumentError('It must be a number of seconds.');
  }
  return number * SECOND_MS;
}

/**
 * Reads a time as people write it: how long ago it was (`90s`, `1h30m`), or a date in ISO 8601, with or without a time.
 * A date is of this time zone, unless it names another one.
 *
 * @param now In milliseconds since 1970, as the outcome.
 * @throws InvalidArgumentError
 */
export function timeOf(text: string, now: number): number {
  const span = spanOf(text);
  if (span !== undefined) {
    return now - span;
  }
  // A date alone would be taken for one of UTC.
  const [, date, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d.*))?$/.exec(text) ?? [];
  const found = date === undefined ? Number.NaN : Date.parse(`${date}T${time}`);
  if (Number.isNaN(found)) {
    throw new InvalidArgumentError(
      'It must be how long ago (90s, 10m, 1h30m, 2d), or a time (2026-11-26T09:30).',
    );
  }
  return found;
}
