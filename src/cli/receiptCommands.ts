import { type Command, InvalidArgumentError } from 'commander';

import type { Take } from './cliCommand.js';
import type { Console } from './console.js';

/** The commands for the receipts and leftovers of ended sessions. */
export function addReceiptCommands(program: Command, console: Console, take: Take): void {
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

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new InvalidArgumentError('It must be a number from 1 on.');
  }
  return Number(text);
}
