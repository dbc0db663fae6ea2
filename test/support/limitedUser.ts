import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { listProcesses, type ProcessRow } from '../../src/local/marks/processTable.js';
import { makeServerHome, ownServer, type ServerHome } from './execServer.js';

/**
 * Fills the rest of the limit with processes; then takes numbers, and makes room for so many. All its processes end
 * with it.
 */
const FILLER = `
$| = 1;
my @children;
while (defined(my $child = fork)) {
  if (!$child) { close STDOUT; sleep; exit }
  push @children, $child;
}
print "full\\n";
while (<STDIN>) {
  for (1 .. $_) {
    my $child = pop @children;
    kill KILL => $child;
    waitpid $child, 0;
  }
  print "room\\n";
}
kill KILL => @children;
waitpid $_, 0 for @children;
`;

/** Processes that take all the room that the limit of a user leaves. */
export interface Crowd {
  /** Lets that many of them end. */
  makeRoom(processes: number): Promise<void>;
  /** Ends all of them. */
  end(): Promise<void>;
}

/** A new user of this machine, with a home and a copy of the program that it may read. Only root can make one. */
export class LimitedUser {
  readonly #uid = randomInt(1_000_000, 2_000_000_000);
  readonly home: ServerHome = makeServerHome();
  readonly server = path.join(this.home.folder, 'dist', 'exec-server.js');

  constructor() {
    // The program may lie in a folder that only root can read.
    fs.cpSync(path.dirname(ownServer), path.dirname(this.server), { recursive: true });
    for (const folder of [this.home.folder, this.home.home, path.join(this.home.folder, 'tmp')]) {
      fs.chownSync(folder, this.#uid, this.#uid);
    }
  }

  /**
   * The command that runs `argv` as this user.
   *
   * @param limit An option of `prlimit`; one of processes counts the threads of all programs of the user.
   */
  command(limit: `--${'nproc' | 'nofile'}=${number}`, argv: readonly string[]): [string, ...string[]] {
    const account = [`--reuid=${this.#uid}`, `--regid=${this.#uid}`, '--clear-groups'];
    return ['prlimit', limit, 'setpriv', ...account, ...argv];
  }

  /** The processes of this user that run. */
  async processes(): Promise<readonly ProcessRow[]> {
    return (await listProcesses()).filter(({ pid }) => ownerOf(pid) === this.#uid);
  }

  /** Starts as many processes as a limit of processes leaves room for. */
  async fill(limit: number): Promise<Crowd> {
    const [program, ...args] = this.command(`--nproc=${limit}`, ['perl', '-e', FILLER]);
    const filler = spawn(program, args, { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(filler, 'close');
    const lines = createInterface(filler.stdout)[Symbol.asyncIterator]();
    const said = async () => {
      if ((await lines.next()).done === true) {
        throw new Error('The crowd has ended.');
      }
    };
    await said();
    return {
      makeRoom: async (processes) => {
        filler.stdin.write(`${processes}\n`);
        await said();
      },
      end: async () => {
        filler.stdin.end();
        await ended;
      },
    };
  }
}

function ownerOf(pid: number): number | undefined {
  return fs.statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}

/** Whether limits can be given to another user, which only root can, and are counted for each, as on Linux. */
export const canLimit = process.platform === 'linux' && process.getuid?.() === 0;

/** Declares tests of limits, where there are any. */
export function describeLimits(title: string, tests: (this: Mocha.Suite) => void): void {
  if (canLimit) {
    describe(title, tests);
  }
}
