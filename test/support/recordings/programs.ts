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

/** Bars of several lines, each drawn again in its place. */
const LAYERS = [
  'for i in $(seq 1 40); do',
  'printf "\\r\\033[Klayer A %-58s|\\n\\033[Klayer B %-58s|\\n\\033[2A" "step $i" "step $i"',
  'done',
  'printf "\\n\\nfinished\\n"',
].join('\n');

const EMOJI = [
  'for i in 1 2 3; do',
  'printf "✅✅\\033[1;5HX 🦀 crab 👨‍👩‍👧‍👦 🇩🇪 ❤️ é e\u0301 漢字|\\n"',
  'printf "%079d✅next\\n" 0',
  'done',
  'for i in $(seq 1 40); do printf "✅ item %s 汉字漢字汉字漢字汉字漢字汉字漢字汉字漢字汉字漢字汉字漢字汉字漢字\\n" $i; done',
].join('\n');

const LINKS = [
  'for i in 1 2 3 4 5; do',
  'printf "\\033]8;;https://example.com/%s\\033\\\\\\\\link %s\\033]8;;\\033\\\\\\\\ and " $i $i',
  'printf "\\033[4:3m\\033[58;2;255;0;0mcurly\\033[0m \\033[4:2mdouble\\033[m\\n"',
  'done',
  'printf "open \\033]8;;https://example.com\\033\\\\\\\\still open"',
].join('\n');

/** Modes that a program leaves on. */
const MODES = [
  'printf "\\033[?25l\\033[?1h\\033=\\033[5;20r\\033[?6h\\033[?7l\\033[4h\\033[?1003h\\033[?1006h\\033[?2004h"',
  'printf "\\033[>4;2m\\033[>1u\\033[5 q\\033(0lqqk\\033[3g\\033[10G\\033H\\033[7;5H\\0337BODY"',
].join('\n');

/** The bar of apt, which keeps the last row out of the scroll region. */
const APT = [
  'printf "\\n\\0337\\033[0;23r\\0338\\033[1A"',
  'for i in $(seq 1 60); do',
  'printf "Unpacking package-%s (1.2.%s) ...\\n" $i $i',
  'printf "\\0337\\033[24;0f\\033[42m\\033[30mProgress: [%3d%%]\\033[49m\\033[39m [####......] \\0338" $i',
  'done',
].join('\n');

/** A conversation whose last part is drawn again and again, as agents do. */
const CONVERSATION = [
  'import sys',
  'w = sys.stdout.write',
  'for n in range(40):',
  '    height = 10 + n % 5',
  "    w('\\x1b[?2026h')",
  "    if n: w('\\x1b[2K' + '\\x1b[1A\\x1b[2K' * before + '\\x1b[G')",
  "    w('\\x1b[1mmessage %d\\x1b[22m\\r\\n' % n)",
  '    for i in range(height):',
  "        w('\\x1b[38;2;%d;100;50m│ ⏺ line %d of box ✅ \\x1b[39m%s│\\r\\n' % (i * 9, i, 'x' * 40))",
  "    w('\\x1b[?2026l')",
  '    before = height',
].join('\n');

/** The marks of VS Code's shell integration, around a prompt that fills most of a row. */
const MARKS = [
  `PS0='\\[\\e]633;C\\a\\]'`,
  `PS1='\\[\\e]633;D;$?\\a\\e]633;A\\a\\]a long prompt that fills most of a row of eighty columns, before \\$ \\[\\e]633;B\\a\\]'`,
].join('; ');

const NPM = ['npm', 'install', '--no-audit', '--no-fund', '--progress=true', './one', './two'];
const PACKAGES = 'for name in one two; do mkdir $name; (cd $name && npm init -y); done';
const REPOSITORY = [
  'set -e',
  'git init -q .',
  'git config user.email nobody@example.org; git config user.name Nobody',
  'for i in $(seq 1 12); do seq $i $((i * 9)) > numbers; git add numbers; git commit -qm "Count to $((i * 9))"; done',
  'git -c color.ui=always log --stat --format="%C(yellow)%s%C(reset) by %an" | cat',
].join('\n');

const TMUX_OPTIONS = ['set', '-g', 'default-command', 'sh', ';', 'set', '-g', 'status-right', ''];

const REPL = ['x = [1, 2, 3]\r', 'for i in x:\r', '    print(i)\r', '\r', '"日本" + "✅"\r', 'print(x'];

export interface Program {
  readonly argv: readonly string[];
  /** Sent one after the other, each when the program waits. A pair is a new size: columns and rows. */
  readonly keys?: readonly (string | readonly [columns: number, rows: number])[];
  /** A program without which this one cannot be recorded. */
  readonly tool?: string;
}

/** The text that editors and pagers show. */
export const TEXT = Array.from(
  { length: 60 },
  (_, line) => `int line_${line}(char *ünï) { return "日本 é 👍"; } /* ${line} */`,
).join('\n');

/** The programs that are recorded, by the names of their recordings. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  'vim': {
    argv: ['vim', '-u', 'NONE', '-i', 'NONE', '-n', '-N', '--cmd', 'syntax on | set title number', 'text.c'],
    keys: ['Gdd', 'gg/line_3\r', 'Oneue Zeile é 世界\u001b', ':set wrap list\r', '\u0006\u0002', ':q!\r'],
    tool: 'vim',
  },
  'htop': {
    argv: ['htop', '-u', 'nobody', '-d', '20'],
    keys: ['\u001b[B', 't', 'h', ' ', 'S', 'q', 'q'],
    tool: 'htop',
  },
  'less': { argv: ['less', '-R', 'text.c'], keys: ['/int\r', ' ', 'G', 'q'], tool: 'less' },
  'tmux': {
    argv: ['tmux', '-L', 'recording', '-f', '/dev/null', 'new-session', 'sh', ';', ...TMUX_OPTIONS],
    keys: ['echo one; printf "日本 é\\n"\r', '\u0002"', 'ls\r', '\u0002%', 'exit\r', 'exit\r', 'exit\r'],
    tool: 'tmux',
  },
  'build': { argv: ['sh', '-c', BUILD], tool: 'gcc' },
  'progress': { argv: ['sh', '-c', DOWNLOAD], tool: 'wget' },
  'unicode': { argv: ['python3', '-c', UNICODE], tool: 'python3' },
  'titles': { argv: ['python3', '-c', TITLES], tool: 'python3' },
  'sixel': { argv: ['python3', '-c', SIXEL], tool: 'python3' },
  'vim-split': {
    argv: [
      'vim',
      '-u',
      'NONE',
      '-i',
      'NONE',
      '-n',
      '-N',
      '--cmd',
      'syntax on | set mouse=a cursorline',
      'text.c',
    ],
    keys: [':vsplit\r', ':split\r', '\u0006', '\u0017l', 'G', 'dd', ':set paste\r', 'ionly words'],
    tool: 'vim',
  },
  'vim-resized': {
    argv: ['vim', '-u', 'NONE', '-i', 'NONE', '-n', '-N', '--cmd', 'syntax on', 'text.c'],
    keys: ['\u0006', [60, 20], '\u0006', [100, 30], '\u0006'],
    tool: 'vim',
  },
  'nano': {
    argv: ['nano', '-I', '-l', 'text.c'],
    keys: ['\u0016', 'words', '\u0017line_40\r'],
    tool: 'nano',
  },
  'mc': { argv: ['mc', '-u', '-X', '--nomouse'], keys: ['\u001b[B', '\u001b[20~'], tool: 'mc' },
  'top': { argv: ['top', '-d', '2', '-u', 'nobody'], keys: ['z', 'c', '1', 'q'], tool: 'top' },
  'top-lines': { argv: ['top', '-b', '-n', '3', '-d', '0.2', '-u', 'nobody'], tool: 'top' },
  'whiptail': {
    argv: ['whiptail', '--menu', 'A menu', '15', '50', '5', '1', 'first', '2', 'second', '3', 'third'],
    keys: ['\u001b[B', '\t'],
    tool: 'whiptail',
  },
  'git-help': { argv: ['sh', '-c', 'git help -a | less'], keys: [' ', '/rebase\r'], tool: 'git' },
  'git-log': { argv: ['sh', '-c', REPOSITORY], tool: 'git' },
  'npm': { argv: ['sh', '-c', `${PACKAGES}; ${NPM.join(' ')}; npm ls`], tool: 'npm' },
  'npm-init': { argv: ['npm', 'init'], keys: ['name\r', '\r', 'words 日本\r', '\r'], tool: 'npm' },
  'python': { argv: ['python3.11', '-q'], keys: REPL, tool: 'python3.11' },
  'python-editor': { argv: ['python3.13', '-q'], keys: REPL, tool: 'python3.13' },
  'node': {
    argv: ['node'],
    keys: ['const x = [1, 2, {three: 3}]\r', 'x\r', 'x.fil', '\t', 'ter(Boo'],
    tool: 'node',
  },
  'bash-marks': {
    argv: ['bash', '--norc', '-i'],
    keys: [
      `${MARKS}\r`,
      'seq 1 30\r',
      `echo ${'a long line '.repeat(9)}\r`,
      'false\r',
      `echo ${'words '.repeat(9)}`,
    ],
    tool: 'bash',
  },
  'bash-resized': {
    argv: ['bash', '--norc', '-i'],
    keys: [
      'seq -s " " 1 200\r',
      [60, 24],
      `echo ${'sixty columns '.repeat(6)}\r`,
      [100, 24],
      'ls -C /usr/lib\r',
      'ech',
    ],
    tool: 'bash',
  },
  'zsh': {
    argv: ['zsh', '-f', '-i'],
    keys: ["RPS1='[right]'\r", 'ls /usr\r', [70, 24], 'echo hi'],
    tool: 'zsh',
  },
  'fish': {
    argv: ['fish', '--no-config', '-C', 'function fish_prompt; echo "> "; end'],
    keys: ['ls /usr\r', 'echo "日本"\r', [60, 24], 'ls /us'],
    tool: 'fish',
  },
  'layers': { argv: ['bash', '-c', LAYERS], tool: 'bash' },
  'emoji': { argv: ['bash', '-c', EMOJI], tool: 'bash' },
  'links': { argv: ['bash', '-c', LINKS], tool: 'bash' },
  'modes': { argv: ['bash', '-c', MODES], tool: 'bash' },
  'apt': { argv: ['bash', '-c', APT], tool: 'bash' },
  'conversation': { argv: ['python3', '-c', CONVERSATION], tool: 'python3' },
  'seq': { argv: ['sh', '-c', 'seq 1 3000; sleep 1'] },
  'long-line': { argv: ['sh', '-c', 'seq -s , 1 4000; sleep 1'] },
};
