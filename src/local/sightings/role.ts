import { agentOf, programOf } from '../../core/index.js';

/** The part that a process plays among those of its user, as its command line tells. */
export interface Role {
  /** The id of the agent that it is. */
  readonly agent?: string | undefined;
  /** Whether it is a server or a client of ours. */
  readonly isOwnProgram: boolean;
  /** Whether it runs the programs of others: what is below it may belong to a person. */
  readonly isBorder: boolean;
  /** Whether programs of several owners may use it. */
  readonly isDaemon: boolean;
  /** Whether it is a shell that waits for command lines. */
  readonly isShell: boolean;
}

const OWN_PROGRAM = /^exec-(?:server|sessions)$/;
const SHELL = /^(?:bash|zsh|fish|sh|dash|ksh|mksh|tcsh|csh|nu|pwsh)$/;
const BORDER =
  /^(?:screen|code(?:-\w+)?|codium|cursor|windsurf|containerd-shim.*|conmon|dockerd|podman|systemd|sshd.*|server-main|bootstrap-fork)$/;
const DAEMON = /^(?:ssh-agent|gpg-agent|watchman|dockerd?|podman|adb|sccache|ccache)$/;
/** A daemon of Java's or Bazel's tools is told by its arguments. */
const DAEMON_WORDS = /GradleDaemon|KotlinCompileDaemon|^bazel\(/;
/** The names that the servers of tmux and screen give themselves in the kernel. */
const SERVER_OF_TERMINALS = /^(?:tmux: server|screen)/;

/** @param name Its name in the kernel. */
export function roleOf(argv: readonly string[], name: string): Role {
  const { name: program, words } = programOf(argv);
  const isBorder = SERVER_OF_TERMINALS.test(name) || BORDER.test(program);
  return {
    agent: agentOf(argv),
    isOwnProgram: OWN_PROGRAM.test(program),
    isBorder,
    isDaemon: isBorder || DAEMON.test(program) || argv.some((argument) => DAEMON_WORDS.test(argument)),
    isShell: SHELL.test(program) && words.length === 0,
  };
}
