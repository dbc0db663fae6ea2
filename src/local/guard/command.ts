/** A program, and its arguments. */
export type Command = readonly [string, ...string[]];

/**
 * Waits for the end of its input, and runs `"$0" "$@"` then, with what is watched as further arguments. A shell takes
 * 0.2 MB of memory of its own and 20 µs for a message; Node, which would have nothing to do either, 40 MB and 150 µs.
 * What has ended is not searched for here, which shells are slow at: the whole list comes anew.
 *
 * A line that was cut off is none. Node may be gone by then, or may have no memory: then the groups of the leaders are
 * killed at once, which is not all that there may be (a shell's background jobs), and better than nothing.
 */
const WAIT = `
trap '' INT TERM HUP
set -f
list=
while read -r what sessions; do
  case $what in
    +) list="$list $sessions" ;;
    =) list=$sessions ;;
  esac
done
if [ -z "$list" ]; then exit; fi
"$0" "$@" $list || for entry in $list; do kill -s KILL -- "-\${entry%%:*}"; done
`;

/**
 * How to start the guard: on POSIX as a shell that waits and becomes `program` in the end, on Windows as `program`, which
 * can wait by itself.
 */
export function guardCommand(program: Command): Command {
  return process.platform === 'win32' ? program : ['/bin/sh', '-c', WAIT, ...program];
}

/** Shells read on only so long, run other files first, or take their own commands from the environment. */
const FOR_SHELLS = /^(?:TMOUT|ENV|BASH_ENV|BASH_FUNC_.*)$/;

/** The environment of the guard. In VS Code's desktop the program is Electron, which is Node only if it is told so. */
export function guardEnvironment(host: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(host).filter(([name]) => !FOR_SHELLS.test(name));
  return { ...Object.fromEntries(entries), ELECTRON_RUN_AS_NODE: '1' };
}
