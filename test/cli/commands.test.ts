import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { quoteCommandLine } from '../../src/core/index.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { assertGolden } from '../support/golden.js';
import { cli, type Outcome, runLine } from './cliFixture.js';

const THE_SOCKET = '"unix://$(echo $XDG_RUNTIME_DIR/exec-sessions/*.sock)"';

/** Nothing of it is connected with the command that it is started by. */
const ALONE = '</dev/null >/dev/null 2>&1 &';

/** Command lines that are run one after the other on a new machine, by the names of their transcripts. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  // Nothing is started for looking.
  looking: [
    'exec-sessions ls',
    'exec-sessions ls --all',
    'exec-sessions ls --json',
    'exec-sessions stop dev',
    'exec-sessions search anything',
    'exec-sessions server status',
  ],
  // Without terminals, run is like the program itself.
  running: [
    "exec-sessions run -- sh -c 'echo out; echo err >&2; exit 3'",
    "echo 'from the pipe' | exec-sessions run cat",
    "exec-sessions run --env GREETING=hello --cwd home -- sh -c 'echo $GREETING; basename $PWD'",
    "exec-sessions run -- sh -c 'kill -TERM $$'",
    'exec-sessions run -- no-such-program',
    'exec-sessions run --cwd nowhere -- true',
    'exec-sessions run --write nowhere -- true',
    'exec-sessions run --env =x -- true',
    'exec-sessions run',
    "set -o pipefail; exec-sessions run -- sh -c 'while echo y; do sleep 0.1; done' | head -n 2",
    'exec-sessions wait 1005',
    'exec-sessions ls',
    'exec-sessions ls --all',
  ],
  background: [
    "exec-sessions run --detach --pipes --title dev -- sh -c 'echo ready; cat; echo over; exit 4'",
    'exec-sessions wait dev --for /^READY$/i',
    'exec-sessions ls',
    'exec-sessions ls --json',
    'exec-sessions ls --quiet',
    'exec-sessions send dev "some words"',
    'exec-sessions wait dev --for "/some words/"',
    'exec-sessions logs dev',
    'exec-sessions search WORDS',
    'exec-sessions search --ignore-case WORDS',
    'exec-sessions rename dev "the server"',
    'exec-sessions attach dev',
    'exec-sessions rm "the server"',
    'exec-sessions wait "the server" --timeout 0.2',
    'exec-sessions wait "the server" --for port:1 --timeout 0.3',
    'exec-sessions wait "the server" --for nothing',
    'exec-sessions signal 1000 NOSUCH 2>/dev/null',
    'exec-sessions attach 1000 </dev/null',
    'exec-sessions send 1000 more',
    'exec-sessions rm 1000',
  ],
  stopping: [
    'exec-sessions run --detach --title stubborn -- sh -c \'trap "" INT HUP; echo set; while :; do sleep 1; done\'',
    'exec-sessions wait stubborn --for /set/',
    'exec-sessions stop stubborn',
    'exec-sessions wait stubborn --for closed',
    'exec-sessions stop stubborn',
    'exec-sessions run --detach --title killed -- sleep 1000',
    'exec-sessions kill killed',
    'exec-sessions run --detach --title hung -- sh -c \'trap "exit 9" USR1; echo set; while :; do sleep 0.1; done\'',
    'exec-sessions wait hung --for /set/',
    'exec-sessions signal hung usr1',
    'exec-sessions wait hung',
    "exec-sessions run -- printf '\\033[31mred\\033[0m\\nab\\rc\\n'",
    'exec-sessions logs --plain 1003',
    'exec-sessions logs --follow 1003 | tail -n 1',
    'exec-sessions ls --watch',
  ],
  cleaning: [
    'exec-sessions cleanup --folder .',
    'exec-sessions cleanup --folder . --yes',
    'exec-sessions cleanup --folder . --json',
    'exec-sessions cleanup --yes',
    'exec-sessions cleanup --agent nobody',
    'exec-sessions cleanup --older 2 --yes',
    'exec-sessions cleanup --memory much --yes',
    'exec-sessions cleanup --port 0 --yes',
    `exec-sessions run --pipes -- sh -c 'sleep 1000 ${ALONE} echo $! >stays; setsid sleep 1001 ${ALONE} echo $! >left'`,
    'until exec-sessions cleanup --folder . --json | grep -q "sleep.*sleep"; do sleep 0.1; done',
    "exec-sessions cleanup --folder . | awk '{ print $(NF-2), $(NF-1), $NF }' | LC_ALL=C sort",
    'exec-sessions cleanup --folder . --older 1h --yes',
    "set -o pipefail; exec-sessions cleanup --folder . --yes | awk '/:/ { print $1, $3, $4 }' | LC_ALL=C sort",
    'exec-sessions leftovers stop $(cat left)',
    'exec-sessions cleanup --folder .',
  ],
  naming: [
    'for number in 1 2 3 4 5 6 7 8; do exec-sessions run -- true; done',
    'exec-sessions run --title twin -- true; exec-sessions run --title twin -- false',
    'exec-sessions logs twin',
    'exec-sessions wait twin',
    "exec-sessions run --detach --title twin -- sh -c 'sleep 1000'",
    'exec-sessions wait twin --timeout 0.2',
    'exec-sessions stop twin nobody',
    'exec-sessions kill twin',
    "exec-sessions attach ''",
  ],
  ports: [
    "exec-sessions run --detach --title web -- node -e \"require('net').createServer().listen(0, function () { console.log('at port ' + this.address().port) })\"",
    'test "$(exec-sessions wait web --for port)" = "$(exec-sessions logs --plain web | grep -o \'[0-9]*\')" && echo the same',
    'exec-sessions kill web',
    'exec-sessions wait web --for port',
    'exec-sessions wait web --for port:99999',
  ],
  // Other servers are reached here by the socket of this one.
  servers: [
    'exec-sessions run -- true',
    `exec-sessions run --on ${THE_SOCKET} --cwd / -- sh -c 'pwd; exit 6'`,
    `exec-sessions run --on ${THE_SOCKET} --detach --title there -- sleep 1000`,
    `exec-sessions ls --on ${THE_SOCKET}`,
    'exec-sessions kill there',
    'exec-sessions ls --on "unix://$PWD/nowhere.sock"',
    'exec-sessions run --on "ws://127.0.0.1:1" -- true',
    'exec-sessions run --on "ssh -oProxyCommand=x" -- true',
    'exec-sessions ls --on unix:///nowhere.sock --watch',
  ],
  readers: [
    'set -o pipefail; exec-sessions run -- seq 100000 | head -n 1',
    'set -o pipefail; exec-sessions run -- yes | head -n 1',
    'set -o pipefail; exec-sessions ls --all | head -n 1',
    'exec-sessions --version | true',
    'chmod 755 run/exec-sessions; exec-sessions ls --all; chmod 700 run/exec-sessions',
    'exec-sessions nonsense',
    'exec-sessions server stop',
    'exec-sessions server status',
  ],
};

describe('exec-sessions', () => {
  const machine = useMachine();

  it('does what its help says', async () => {
    const commands = [
      '',
      ...'run ls attach logs search send wait rename stop kill signal rm receipts leftovers cleanup server completion'.split(
        ' ',
      ),
    ];
    const helps: string[] = [];
    for (const command of commands) {
      const { stdout, stderr, code } = await runLine(machine, `exec-sessions ${command} --help`);
      assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
      helps.push(stdout);
    }
    const wide = helps
      .join('\n')
      .split('\n')
      .filter((line) => line.length > 80);
    assert.deepEqual(wide, [], 'A terminal of 80 columns has room for every line.');
    assertGolden(import.meta.dirname, 'help', helps.join('\n----\n\n'));
  });

  for (const [name, lines] of Object.entries(SCRIPTS)) {
    it(`answers a script of command lines: ${name}`, async () => {
      numberFrom1000(machine.env['HOME'] ?? '');
      const ids = new Ids();
      let transcript = '';
      for (const line of lines) {
        transcript += shown(line, await runLine(machine, line), (text) =>
          ids.mask(masked(text, machine.folder)),
        );
      }
      assertGolden(import.meta.dirname, `scripts/${name}`, transcript);
    });
  }

  it('lets a program in a session do what it likes with others (SECURITY.md: Programs in a session)', async () => {
    await runLine(machine, 'exec-sessions run --detach --pipes --title other -- cat');
    const script =
      'exec-sessions send other typed; exec-sessions wait other --for typed; exec-sessions stop other';
    const inside = `exec-sessions() { '${process.execPath}' '${cli}' "$@"; }; ${script}`;
    await runLine(machine, `exec-sessions run -- ${quoteCommandLine(['bash', '-c', inside])}`);
    const { stdout } = await runLine(machine, 'exec-sessions logs other; exec-sessions ls');
    assert.match(stdout, /^typed$/m);
    assert.equal(stdout.includes('other'), false);
  });

  it('shows the match in a long line, and not its beginning, when it searches', async () => {
    const text = "printf '%05000dBOOM%05000d' 0 0";
    await runLine(machine, `exec-sessions run --pipes --title one -- sh -c "${text}" >/dev/null`);
    const { stdout } = await runLine(machine, 'exec-sessions search 0boom --ignore-case');
    assert.match(stdout, /^[0-9a-f]{8}: \[…\] 0{100,}BOOM0{100,} \[…\]\n$/);
    assert.ok(stdout.length < 600, stdout);
  });

  it('keeps the time limit of wait, however long its pattern takes', async () => {
    const zeros = "sh -c 'printf %060d! 0; exec sleep 1000'";
    await runLine(machine, `exec-sessions run --detach --pipes --title zeros -- ${zeros}`);
    assert.equal((await runLine(machine, 'exec-sessions wait zeros --for /!/')).code, 0);
    const { code } = await runLine(machine, 'exec-sessions wait zeros --for "/^(0+)+$/" --timeout 2');
    assert.equal(code, 124);
  });

  it('completes in the shells that there are', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout, code } = await runLine(machine, `exec-sessions completion ${shell}`);
      assert.equal(code, 0);
      assert.match(stdout, /\brename\b/);
    }
    const { stdout } = await runLine(
      machine,
      'source <(exec-sessions completion bash); COMP_WORDS=(exec-sessions ren); COMP_CWORD=1; _exec_sessions; echo "${COMPREPLY[@]}"',
    );
    assert.equal(stdout, 'rename\n');
  });

  it('uses the sessions of a server of another version', async () => {
    const older = path.join(machine.folder, 'older');
    fs.cpSync(path.join(import.meta.dirname, '../../dist'), older, { recursive: true });
    fs.appendFileSync(path.join(older, 'exec-server.js'), '\n');
    const connected = await machine.connect({ files: older });
    assert.ok(connected);
    await connected.backend.start({
      processId: 'old',
      argv: ['cat'],
      cwd: machine.folder,
      env: machine.env,
      tty: true,
      owned: true,
      metadata: { title: 'of before' },
    });
    const line = 'exec-sessions run -- true && exec-sessions ls && exec-sessions stop "of before"';
    const { stdout, stderr, code } = await runLine(machine, line);
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    assert.match(stdout, /running .* of before\nof before: stopped \(interrupted\)\n$/);
    assert.equal((await machine.servers()).length, 2);
  });
});

/** Claims the numbers below, as an earlier program would have: the first ones of a machine are random. */
function numberFrom1000(home: string): void {
  const claims = path.join(home, '.local/state/exec-sessions/session-numbers');
  fs.mkdirSync(claims, { recursive: true });
  fs.writeFileSync(path.join(claims, '99'), '');
}

function shown(line: string, { stdout, stderr, code }: Outcome, mask: (text: string) => string): string {
  const errors = stderr === '' ? '' : mask(stderr).replace(/^(?=.)/gm, '! ');
  return `\n$ ${line}\n${mask(stdout)}${errors}${code === 0 ? '' : `[${String(code)}]\n`}`;
}

/** Leaves out what differs from run to run, and the spaces that depend on it. */
function masked(text: string, folder: string): string {
  return text
    .replaceAll(folder, 'FOLDER')
    .replace(/"pid":\d+/g, '"pid":PID')
    .replace(/\(\d+\)|\bpid \d+/g, '(PID)')
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"TIME"')
    .replace(/\b\d+ (?:s|m)\b/g, 'SPAN')
    .replace(/"outputBytes":\d+/g, '"outputBytes":BYTES')
    .replace(/ {2,}/g, '  ');
}

/** Gives ids names, in the order in which they come. */
class Ids {
  readonly #names = new Map<string, string>();

  mask(text: string): string {
    return text.replace(/\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b/g, (id) => {
      const short = id.slice(0, 8);
      const name = this.#names.get(short) ?? `id${this.#names.size + 1}`;
      this.#names.set(short, name);
      return id.length === 8 ? `${name}-short` : name;
    });
  }
}
