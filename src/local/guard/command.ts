import { withoutMark } from '../sessionMark.js';

/** A program, and its arguments. */
export type Command = readonly [string, ...string[]];

/**
 * A shell script that waits for the end of its input and then runs `"$0" "$@"`, with the watched sessions as further
 * arguments. A shell takes 0.2 MB of memory of its own and 20 µs for a message; Node, which would have nothing else to
 * do, 40 MB and 150 µs. The script does not remove ended sessions from its list, which shells are slow at: the host
 * sends the whole list anew.
 *
 * An incomplete line is ignored. If Node is gone by then, or gets no memory, the groups of the leaders are killed at
 * once: not everything that there may be (a shell's background jobs have groups of their own), but better than nothing.
 */
const WAIT = `
trap '' INT TERM HUP
set -f
list=
next=
while read -r what sessions; do
  case $what in
    +) list="$list $sessions" next= ;;
    =) list=$sessions next= ;;
    \\?) next=$sessions ;;
  esac
done
if [ -z "$list$next" ]; then exit; fi
"$0" "$@" $list $next || for entry in $list; do kill -s KILL -- "-\${entry%%:*}"; done
`;

/**
 * The command that starts the guard: on POSIX a shell that waits and becomes `program` in the end, on Windows `program`
 * itself, which can wait as well.
 */
export function guardCommand(program: Command): Command {
  return process.platform === 'win32' ? program : ['/bin/sh', '-c', WAIT, ...program];
}

/** Variables that make a shell stop reading, run other files first, or take its own commands from variables. */
const FOR_SHELLS = /^(?:TMOUT|ENV|BASH_ENV|BASH_FUNC_.*)$/;

/**
 * The variables of the guard. In VS Code's desktop the program is Electron, which behaves as Node only if told to.
 */
export function guardEnv(host: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(withoutMark(host)).filter(([name]) => !FOR_SHELLS.test(name));
  return { ...Object.fromEntries(entries), ELECTRON_RUN_AS_NODE: '1' };
}
