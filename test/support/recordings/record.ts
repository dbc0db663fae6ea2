import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Terminal } from '@xterm/headless';
import { spawn } from 'node-pty';

/**
 * Records what real programs write into a terminal, byte for byte, into the files beside this one:
 *
 *   npx tsx test/support/recordings/record.ts [NAME…]
 *
 * An emulator answers their questions. They run in a folder of their own and see nothing else of this user.
 */

const COLUMNS = 80;
const ROWS = 24;
/** A program that has written nothing for this long, in milliseconds, waits for its next key. */
const QUIET_MS = 700;

const BUILD = [
  'set -e',
  'printf "int main(void) { int x; long *p = 3; return y; }\\n" > a.c',
  'printf "all: b.o a.o\\n%%.o: %%.c\\n\\t@gcc -Wall -fdiagnostics-color=always -fdiagnostics-urls=always -c $<\\n" > Makefile',
  'printf "int f(void) { return 1; }\\n" > b.c',
  'make || true',
  'for i in $(seq 1 40); do printf "\\033[32m✓\\033[0m test %d \\033[2m(%d ms)\\033[0m\\r\\n" $i $((i * 7)); done',
].join('\n');

const UNICODE = [
  'import sys',
  'w = sys.stdout.write',
  'for n in range(12):',
  "    w('日本語のテキスト、全角と半角 abc ' * 4 + '\\n')",
  "    w('e\\u0301a\\u0308o\\u0302n\\u0303 ' * 20 + '\\n')",
  "    w('👩\\u200d👩\\u200d👧 👍🏽 🇫🇷 ✈\\ufe0f ' * 6 + '\\n')",
  "    w('\\u0e01\\u0e33\\u0e49 \\u0915\\u094d\\u0937\\u093f \\u05e9\\u05b8\\u05dc ' * 8 + '\\n')",
  "    w('x\\033[40b|\\u4e2d\\033[5b|\\u0301\\033[3b\\n')",
  "    w('\\033[3;79H\\u4e2d\\u0301x\\033[20;1H')",
].join('\n');

const TITLES = [
  'import sys, time',
  'w = sys.stdout.write',
  'for n in range(30):',
  "    w(f'\\033]0;Übersetzung {n} %\\007\\033]9;4;1;{n}\\033\\\\')",
  "    w(f'\\033]8;id={n};https://example.org/?q={n}#ü\\033\\\\file {n} ünï\\033]8;;\\007 ')",
  "    w(f'\\033]633;A\\007$ \\033]633;B\\007make {n}\\r\\n\\033]133;D;0\\033\\\\')",
].join('\n');

const DOWNLOAD = [
  'python3 -u -m http.server --bind 127.0.0.1 0 > log 2>&1 & server=$!',
  'until grep -q port log; do sleep 0.1; done',
  'port=$(sed -n "s/.*port \\([0-9]*\\).*/\\1/p" log)',
  'wget --progress=bar:force --limit-rate=100k -O copy "http://127.0.0.1:$port/large"',
  'curl -# --limit-rate 100k -o copy "http://127.0.0.1:$port/large"',
  'kill $server',
].join('\n');

const SIXEL = [
  'import sys',
  'w = sys.stdout.write',
  "w('before \\x1bP0;1;0q\"1;1;80;60#0;2;80;20;0#1;2;0;60;90')",
  "w('-'.join('#0' + '~{@}'.join('!%dN' % (n % 7 + 1) for n in range(30)) + '$#1!40?!40o' for row in range(10)))",
  "w('\\x1b\\\\ after\\n')",
].join('\n');

const TMUX_OPTIONS = ['set', '-g', 'default-command', 'sh', ';', 'set', '-g', 'status-right', ''];

interface Program {
  readonly argv: readonly string[];
  /** Sent one after the other, each when the program waits. */
  readonly keys?: readonly string[];
  /** A program without which this one cannot be recorded. */
  readonly tool?: string;
}

const VIM_TEXT = Array.from(
  { length: 60 },
  (_, line) => `int line_${line}(char *ünï) { return "日本 é 👍"; } /* ${line} */`,
).join('\n');

const PROGRAMS: Readonly<Record<string, Program>> = {
  vim: {
    argv: ['vim', '-u', 'NONE', '-i', 'NONE', '-n', '-N', '--cmd', 'syntax on | set title number', 'text.c'],
    keys: ['Gdd', 'gg/line_3\r', 'Oneue Zeile é 世界\u001b', ':set wrap list\r', '\u0006\u0002', ':q!\r'],
    tool: 'vim',
  },
  htop: {
    argv: ['htop', '-u', 'nobody', '-d', '20'],
    keys: ['\u001b[B', 't', 'h', ' ', 'S', 'q', 'q'],
    tool: 'htop',
  },
  less: { argv: ['less', '-R', 'text.c'], keys: ['/int\r', ' ', 'G', 'q'], tool: 'less' },
  tmux: {
    argv: ['tmux', '-L', 'recording', '-f', '/dev/null', 'new-session', 'sh', ';', ...TMUX_OPTIONS],
    keys: ['echo one; printf "日本 é\\n"\r', '\u0002"', 'ls\r', '\u0002%', 'exit\r', 'exit\r', 'exit\r'],
    tool: 'tmux',
  },
  build: { argv: ['sh', '-c', BUILD], tool: 'gcc' },
  progress: { argv: ['sh', '-c', DOWNLOAD], tool: 'wget' },
  unicode: { argv: ['python3', '-c', UNICODE], tool: 'python3' },
  titles: { argv: ['python3', '-c', TITLES], tool: 'python3' },
  sixel: { argv: ['python3', '-c', SIXEL], tool: 'python3' },
};

async function record(name: string, { argv, keys = [], tool }: Program): Promise<void> {
  if (tool !== undefined && spawnSync('which', [tool]).status !== 0) {
    process.stderr.write(`${name}: there is no ${tool} here\n`);
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recording-'));
  fs.writeFileSync(path.join(folder, 'text.c'), VIM_TEXT);
  fs.writeFileSync(path.join(folder, 'large'), 'x'.repeat(200 * 1024));
  const emulator = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const chunks: Buffer[] = [];
  const [file = '', ...args] = argv;
  const child = spawn(file, args, {
    name: 'xterm-256color',
    cols: COLUMNS,
    rows: ROWS,
    cwd: folder,
    encoding: null,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      PS1: '$ ',
    },
  });
  const left = [...keys];
  await new Promise<void>((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => {
        child.write(left.shift() ?? '');
        if (left.length > 0) wait();
      }, QUIET_MS);
    };
    emulator.onData((data) => child.write(data));
    child.onData((data) => {
      // Without an encoding these are bytes, although the types say otherwise.
      const bytes = data as unknown as Buffer;
      chunks.push(bytes);
      emulator.write(bytes);
      wait();
    });
    // The end of the output may arrive after the exit.
    child.onExit(() => {
      clearTimeout(quiet);
      setTimeout(resolve, 200);
    });
    wait();
  });
  emulator.dispose();
  fs.rmSync(folder, { recursive: true });
  const bytes = Buffer.concat(chunks);
  fs.writeFileSync(path.join(import.meta.dirname, `${name}.bin`), bytes);
  process.stdout.write(`${name}: ${bytes.length} bytes\n`);
}

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  for (const [name, program] of Object.entries(PROGRAMS)) {
    if (names.length === 0 || names.includes(name)) {
      await record(name, program);
    }
  }
}

void main();
