import type { Command } from 'commander';

import type { Take } from './commandLine.js';
import type { Console } from './console.js';

/** The commands for sessions that are there. */
export function addSessionCommands(program: Command, console: Console, take: Take): void {
  program
    .command('stop')
    .description('Stop sessions step by step (interrupt, hang up, terminate, kill), and say what is left')
    .argument('<ID...>', 'Sessions')
    .action((ids: readonly string[]) => {
      take(async () => (await import('./commands/stop.js')).stop(console, ids));
    });
  program
    .command('kill')
    .description('Kill sessions, with all that belongs to them, at once')
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
}
