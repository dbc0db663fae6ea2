import type { InputWait } from '../../src/core/index.js';

/** A program that is run on a terminal, in an empty folder of its own. */
export interface TriedProgram {
  /** A script for `sh`, which ends with the program. */
  readonly script: string;
  /** The programs that it needs, by name. A module of Python is `python3:NAME`. */
  readonly needs: readonly string[];
}

/** A program that asks, and how it does. */
export interface AskingProgram extends TriedProgram {
  readonly kind: InputWait['kind'] | undefined;
  /** A part of its question, if it is a line. */
  readonly question?: string;
}

/**
 * The variables of the programs: the port of an sshd, and that of a server of HTTP. The latter has a package for npm,
 * and wants a password for everything else.
 */
export const PORTS = { ssh: 'SSH_PORT', http: 'HTTP_PORT' } as const;

const line = (question: string, script: string, ...needs: string[]): AskingProgram => ({
  script,
  needs,
  kind: 'line',
  question,
});
const secret = (script: string, ...needs: string[]): AskingProgram => ({ script, needs, kind: 'secret' });
const keys = (script: string, ...needs: string[]): AskingProgram => ({ script, needs, kind: 'keys' });

const python = (program: string) => `exec python3 -c '${program}'`;
const node = (program: string) => `exec node -e '${program}'`;
const REPOSITORY = `git init -q . && git config user.email a@b && git config user.name n
echo a >f && git add f && git commit -qm x && echo b >>f`;

/** Programs that wait for a person. */
export const askingPrograms: Readonly<Record<string, AskingProgram>> = {
  'bash read -p': line('Proceed? (y/n)', `exec bash -c 'read -p "Proceed? (y/n) " x'`, 'bash'),
  'bash read -t': line('Proceed?', `exec bash -c 'read -t 1000 -p "Proceed? " x'`, 'bash'),
  'bash select': line('#?', `exec bash -c 'select x in a b; do break; done'`, 'bash'),
  'sh read': line('ok?', 'printf "ok? "; read x'),
  'zsh read': line('Name?', `exec zsh -fc 'read "x?Name? "'`, 'zsh'),
  'ksh read': keys(`exec ksh -c 'read x?"Name? "'`, 'ksh'),
  'tcsh $<': line('Name?', `exec tcsh -fc 'printf "Name? "; set x = "$<"'`, 'tcsh'),
  'busybox rm -i': line("remove 'f'?", 'touch f; exec busybox rm -i f', 'busybox'),
  'a child of a shell in the foreground': line(
    'more?',
    `exec bash -c '(printf "more? "; read x); exit'`,
    'bash',
  ),
  'rm -i': line("remove regular empty file 'f'?", 'touch f; exec rm -i f'),
  'cp -i': line("overwrite 'g'?", 'touch f g; exec cp -i f g'),
  'find -ok': line('>', 'touch f; exec find f -ok rm {} \\;', 'find'),
  'xargs -p': line('echo a', 'echo a >f; exec xargs -p echo <f', 'xargs'),
  'python input()': line('name:', python('input("name: ")'), 'python3'),
  'python input() in a thread': line(
    'name:',
    python('import threading; threading.Thread(target=lambda: input("name: ")).start()'),
    'python3',
  ),
  'perl <STDIN>': line('name:', `exec perl -e '$| = 1; print "name: "; <STDIN>'`, 'perl'),
  'click.confirm': line(
    'Do it? [y/N]:',
    python('import click; click.confirm("Do it?")'),
    'python3',
    'python3:click',
  ),
  'pip uninstall': line(
    'Proceed (Y/n)?',
    `mkdir -p lib/one-1.dist-info; echo x >lib/one.py
printf 'Metadata-Version: 2.1\\nName: one\\nVersion: 1\\n' >lib/one-1.dist-info/METADATA
printf 'one.py,,\\none-1.dist-info/METADATA,,\\none-1.dist-info/RECORD,,\\n' >lib/one-1.dist-info/RECORD
PYTHONPATH=$PWD/lib PIP_BREAK_SYSTEM_PACKAGES=1 exec python3 -m pip uninstall one`,
    'python3',
    'python3:pip',
  ),
  'apt-get remove': line(
    'Do you want to continue? [Y/n]',
    `mkdir -p state/lists/partial cache/archives/partial
printf 'Package: one\\nStatus: install ok installed\\nVersion: 1\\nArchitecture: all\\nMaintainer: x\\nDescription: x\\n' >status
exec apt-get -o Debug::NoLocking=1 -o Dir::State=$PWD/state -o Dir::State::status=$PWD/status \\
  -o Dir::Cache=$PWD/cache -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=/dev/null remove one`,
    'apt-get',
  ),
  'git add -p': line('Stage this hunk', `${REPOSITORY}; exec git add -p`, 'git'),
  'git clean -i': line('What now>', `${REPOSITORY}; touch g; exec git clean -i`, 'git'),
  'git clone': line('Username for', `exec git clone http://127.0.0.1:$HTTP_PORT/x.git`, 'git'),
  'git clone as a user': secret(`exec git clone http://me@127.0.0.1:$HTTP_PORT/x.git`, 'git'),
  'ssh to a new host': line(
    '(yes/no/[fingerprint])?',
    `exec ssh -F none -o UserKnownHostsFile=$PWD/known -p $SSH_PORT 127.0.0.1`,
    'ssh',
  ),
  'ssh-keygen': line('Enter file', 'exec ssh-keygen -t ed25519', 'ssh-keygen'),
  'ssh-keygen -f': secret('exec ssh-keygen -t ed25519 -f key', 'ssh-keygen'),
  'openssl req': line('Country Name', 'exec openssl req -new -newkey rsa:2048 -nodes -keyout key', 'openssl'),
  'openssl passwd': secret('exec openssl passwd', 'openssl'),
  'curl -u': secret(`exec curl -su me http://127.0.0.1:$HTTP_PORT/`, 'curl'),
  'gpg': keys('exec gpg --no-autostart --homedir . --full-generate-key', 'gpg'),
  'getpass': secret(python('import getpass; getpass.getpass()'), 'python3'),
  'bash read -s': secret(`exec bash -c 'read -s -p "Password: " x'`, 'bash'),
  'su': secret('exec su', 'su'),
  'bash read -n1': keys(`exec bash -c 'read -n1 -p "Continue? " x'`, 'bash'),
  'node readline': keys(
    node('require("readline").createInterface(process.stdin, process.stdout).question("ok? ", () => 0)'),
  ),
  'node readline/promises': keys(
    node('require("readline/promises").createInterface(process.stdin, process.stdout).question("ok? ")'),
  ),
  'npm init': keys('exec npm init', 'npm'),
  'npm create': keys(`exec npm create --registry http://127.0.0.1:$HTTP_PORT one`, 'npm'),
  'bash at its prompt': keys('exec bash --norc -i', 'bash'),
  'python at its prompt': keys('exec python3 -q', 'python3'),
  'vim': keys('exec vim f', 'vim'),
  'less': keys('exec less /etc/passwd', 'less'),
  'htop': keys('exec htop', 'htop'),
  'whiptail': keys('exec whiptail --yesno ok? 8 40', 'whiptail'),
};

/** Programs that wait for a person and are missed by rule, with what is said of them instead. */
export const missedPrograms: Readonly<Record<string, AskingProgram>> = {
  'a question behind a pipe': {
    kind: 'line',
    script: `exec bash -c '(read -p "x? " y) 2>&1 | tail -1'`,
    needs: ['bash'],
  },
  'a select of several': {
    kind: 'none',
    script: python(
      'import os, select, sys; print("x? ", end="", flush=True); select.select([os.pipe()[0], 0], [], [])',
    ),
    needs: ['python3'],
  },
  'asyncio': {
    kind: 'none',
    script: python(
      'import asyncio, sys; l = asyncio.new_event_loop(); l.add_reader(0, id); print("x? ", end="", flush=True); l.run_forever()',
    ),
    needs: ['python3'],
  },
  'node readline without a terminal': {
    kind: 'none',
    script: node(
      'require("readline").createInterface({ input: process.stdin }).question("x? ", () => 0); process.stdout.write("x? ")',
    ),
    needs: [],
  },
  'node stdin.once': {
    kind: 'none',
    script: node(`process.stdout.write("x? "); process.stdin.once("data", () => 0)`),
    needs: [],
  },
  'a relay': { kind: 'keys', script: `exec script -qc 'printf "x? "; read x' /dev/null`, needs: ['script'] },
};

const quiet = (script: string, ...needs: string[]): TriedProgram => ({ script, needs });

/** Programs that wait for nobody, although many of them read their terminal. */
export const quietPrograms: Readonly<Record<string, TriedProgram>> = {
  'python http.server': quiet('exec python3 -m http.server --bind 127.0.0.1 0', 'python3'),
  'a server with a thread on its input': quiet(
    python(`import sys, socket, threading
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print("up, type q to quit> ", end="", flush=True)
threading.Thread(target=sys.stdin.readline).start(); s.accept()`),
    'python3',
  ),
  'a server with a child on its input': quiet(
    python(`import os, socket, sys
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print("up, type q to quit> ", end="", flush=True)
os.fork() or sys.stdin.readline(); s.accept()`),
    'python3',
  ),
  'a node server': quiet(node('require("http").createServer().listen(0, "127.0.0.1"); console.log("up")')),
  'a node server that reads keys as lines': quiet(
    node(
      'require("http").createServer().listen(0, "127.0.0.1"); process.stdin.on("data", () => 0); process.stdout.write("press r to reload ")',
    ),
  ),
  'busybox httpd': quiet('exec busybox httpd -f -p 127.0.0.1:0', 'busybox'),
  'openssl s_server': quiet(
    `openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -subj /CN=x 2>/dev/null
exec openssl s_server -accept 127.0.0.1:0 -key key -cert cert`,
    'openssl',
  ),
  'perl accept': quiet(
    `exec perl -MIO::Socket -e '$s = IO::Socket::INET->new(Listen => 1); print "up\\n"; $s->accept'`,
    'perl',
  ),
  'tail -f': quiet('exec tail -f /etc/passwd'),
  'tail -f of the input': quiet('exec tail -f -'),
  'busybox tail -f': quiet('exec busybox tail -f /etc/passwd', 'busybox'),
  'node --watch': quiet('echo 1 >a.js; exec node --watch a.js'),
  'node fs.watch': quiet(
    node('require("fs").watch("."); process.stdin.resume(); process.stdout.write("watching ")'),
  ),
  'a watcher that looks': quiet('printf "watching "; while :; do sleep 1; done'),
  'top -b': quiet('exec top -b', 'top'),
  'sleep': quiet('exec sleep 1000'),
  'a build': quiet('printf "Compiling... "; sleep 1000; read x'),
  'a build on one line': quiet(
    python(`import sys, threading, time
threading.Thread(target=sys.stdin.readline).start()
print("building 12%", end="\\r", flush=True); time.sleep(1000)`),
    'python3',
  ),
  'make': quiet(`printf 'all:\\n\\t@printf "linking "; sleep 1000\\n' >Makefile; exec make`, 'make'),
  'npm run': quiet(`echo '{"scripts": {"x": "sleep 1000"}}' >package.json; exec npm run x`, 'npm'),
  'a busy program': quiet('printf "working "; exec nice -n 19 sh -c "while :; do sleep 0.01; done"'),
  'a reader of a pipe': quiet('sleep 1000 | cat'),
  'a reader of a named pipe': quiet('mkfifo p; printf "waiting for a client "; exec cat p'),
  'a wait for a child': quiet('sleep 1000 & wait'),
  'cat': quiet('exec cat'),
  'tee': quiet('exec tee f'),
  'wc': quiet('exec wc'),
  'xargs': quiet('exec xargs echo', 'xargs'),
  'grep': quiet('exec grep x'),
  'sort': quiet('exec sort'),
  'sed': quiet('exec sed s/a/b/'),
  'awk': quiet(`exec awk '{ print $1 }'`, 'awk'),
  'python over its input': quiet(python('import sys; [print(x) for x in sys.stdin]'), 'python3'),
  'a loop over its input': quiet('echo start; while read x; do echo "$x"; done'),
  'sh at its prompt': quiet('exec sh -i'),
  'dash at its prompt': quiet('exec dash -i', 'dash'),
  'bash at its prompt, without editing': quiet('exec bash --norc --noediting -i', 'bash'),
  'a shell in a shell': quiet(`exec bash -c 'dash -i; exit'`, 'bash', 'dash'),
  'ksh at its prompt': quiet('exec ksh -i', 'ksh'),
  'mksh at its prompt': quiet('exec mksh -i', 'mksh'),
  'zsh at its prompt': quiet('exec zsh -f -i', 'zsh'),
  'zsh at its prompt, without editing': quiet('exec zsh -f +Z -i', 'zsh'),
  'fish at its prompt': quiet('exec fish -N', 'fish'),
  'tcsh at its prompt': quiet('exec tcsh -f', 'tcsh'),
  'busybox at its prompt': quiet('exec busybox sh', 'busybox'),
};
