import { withoutMark } from '../marks/sessionMark.js';

/** A program, and its arguments. */
export type Command = readonly [string, ...string[]];

/**
 * The longest time for the program, and for the shell's own attempt, in seconds. The program needs three. At the limit
 * of processes, Node 20 may wait for ever for threads that it could not make:
 * https://github.com/nodejs/node/blob/v20.20.2/src/node_platform.cc (WorkerThreadsTaskRunner)
 */
const PROGRAM_S = 20;
const SHELL_S = 60;

/** The variable with the sessions that are watched from the start. */
const WATCHED = 'EXEC_SESSIONS_WATCHED';
/** The longest text in that variable. Linux takes 131,072 bytes for a variable. */
const MOST_WATCHED = 100_000;

/** The variable with the file that lists what the program has stopped; empty if no list is wanted. */
export const REPORT = 'EXEC_SESSIONS_GUARD_REPORT';
/** The variable with the notes of the host's sandboxes; empty if there were no sandboxes. */
export const NOTES = 'EXEC_SESSIONS_GUARD_NOTES';

/**
 * A shell script that waits for the end of its input and then runs `"$0" "$@"`, with the watched sessions as further
 * arguments. A shell takes 0.2 MB of its own memory and 20 µs a message; Node, only to wait, would take 40 MB and 150
 * µs. Removing ended sessions from the list is slow in shells, so the host sends the whole list again. An incomplete
 * line is ignored. A guard that replaces another one gets the list at its start, in a variable, because its host may
 * die before sending it.
 *
 * Node may be missing by then, or get no memory, threads or process. In that case the shell kills the sessions itself
 * (`endAll`) and tries Node once more. An alarm for the shell's whole group ends a Node that hangs. The shell itself
 * ends a Node that started after the alarm. The function `endAll` uses nothing that needs a process. Shells leave their
 * script when they cannot fork: they skip any `||`, but not a trap of the exit. It kills whole groups, so that forks
 * cannot escape, until a look at all processes finds no new one. A process that got the signal runs no more, even if
 * the kernel takes its time. Without `/proc` only the groups of the leaders are known.
 */
const WAIT = `
trap '' INT TERM HUP
set -f
exec 3<&0
list=$${WATCHED}
unset ${WATCHED}
next= report= notes=
while read -r what sessions; do
  case $what in
    +) list="$list $sessions" next= ;;
    =) list=$sessions next= ;;
    \\?) next=$sessions ;;
    !) report=$sessions ;;
    '~') notes=$sessions ;;
  esac
done

hasNotes() {
  set +f
  set -- "$notes".*
  set -f
  [ -n "$notes" ] && [ -e "$1" ]
}

if [ -z "$list$next" ] && ! hasNotes; then exit; fi

run() {
  (trap 'kill -s ALRM -- "-$$"' EXIT; sleep ${PROGRAM_S} || trap - EXIT) &
  ${REPORT}=$report ${NOTES}=$notes "$@" <&3 &
  wait "$!"
}

readStat() {
  stat=
  read -r stat <"/proc/$1/stat"
  pid=\${stat%% *}
  set -- \${stat##*) }
  group=$3 session=$4 begun=\${20}
}

findTime() {
  read -r now idle </proc/uptime
  now=\${now%%.*}
}

endAll() {
  ours=' '
  for entry in $list; do
    leader=\${entry%%:*}
    readStat "$leader"
    known=\${entry#*:}
    if [ -n "$begun" ] && [ -n "$known" ] && [ "$begun" != "$known" ]; then continue; fi
    kill -s KILL -- "-$leader"
    ours="$ours$leader "
  done
  set +f
  now=0
  findTime
  end=$((now + ${SHELL_S}))
  killed=' '
  more=1
  while [ -n "$more" ] && [ "$now" -le "$end" ]; do
    more=
    for folder in /proc/[0-9]*; do
      readStat "\${folder#/proc/}"
      case $ours in *" $session "*) ;; *) continue ;; esac
      case $killed in *" $pid "*) continue ;; esac
      kill -s KILL -- "-$group" "$pid"
      killed="$killed$pid "
      more=1
    done
    findTime
  done
  set -f
}

onAlarm() {
  kill -s KILL "$!"
  exit 1
}

onExit() {
  trap '' ALRM
  endAll
  trap onAlarm ALRM
  run "$@" $list $next
  kill -s KILL -- "-$$"
}

trap onAlarm ALRM
trap 'onExit "$0" "$@"' EXIT
run "$0" "$@" $list $next && trap - EXIT && kill -s KILL -- "-$$"
`;

/**
 * The command that starts the guard. On POSIX it is a shell that waits and becomes `program` in the end. On Windows it
 * is `program` itself, which can wait as well.
 */
export function guardCommand(program: Command): Command {
  return process.platform === 'win32' ? program : ['/bin/sh', '-c', WAIT, ...program];
}

/** Variables that make a shell stop reading, run other files first, or take its own commands from variables. */
const FOR_SHELLS = /^(?:TMOUT|ENV|BASH_ENV|BASH_FUNC_.*)$/;

/**
 * The variables of the guard. In VS Code's desktop the program is Electron, which behaves as Node only if told to.
 *
 * @param watched The sessions to watch from the start, as in a message. A text that is too long for a variable has to
 *   be sent.
 */
export function guardEnv(host: NodeJS.ProcessEnv, watched = ''): NodeJS.ProcessEnv {
  const entries = Object.entries(withoutMark(host)).filter(([name]) => !FOR_SHELLS.test(name));
  const first =
    watched.length > MOST_WATCHED ? watched.slice(0, watched.lastIndexOf(' ', MOST_WATCHED)) : watched;
  return { ...Object.fromEntries(entries), ELECTRON_RUN_AS_NODE: '1', [WATCHED]: first };
}
