import path from 'node:path';

import { AGENT_PROGRAMS } from '../../core/index.js';

/** The part that a process plays among those of its user. */
export type Role = Readonly<ReturnType<typeof roleOf>>;

const RUNTIME = /^(?:node|nodejs|bun|deno)$/;
const OWN_PROGRAM = /^exec-(?:server|sessions)$/;
const SHELL = /^(?:bash|zsh|fish|sh|dash|ksh|mksh|tcsh|csh|nu|pwsh)$/;
/** Programs that run the programs of others. tmux and screen name their servers so. */
const BORDER =
  /^(?:tmux: server|screen|code(?:-\w+)?|codium|cursor|windsurf|server-main|bootstrap-fork|containerd-shim.*|conmon|dockerd|podman|systemd|sshd.*)$/i;
/** Programs that may serve programs of several owners. */
const DAEMON = /^(?:ssh-agent|gpg-agent|watchman|adb|bazel\(.*|org\.gradle.*Daemon|org\.jetbrains.*Daemon)$/;

/** @param name Its name in the kernel. */
export function roleOf([file = '', ...args]: readonly string[], name: string) {
  const words = args.filter((argument) => !argument.startsWith('-'));
  const script = RUNTIME.test(path.basename(file)) ? words.shift() : undefined;
  const program = path.basename(script ?? file).replace(/^-|\.[cm]?js$/g, '');
  const agent = AGENT_PROGRAMS.find(({ id }) => id === program || script?.includes(`/${id}-code/`));
  const isBorder = BORDER.test(name) || BORDER.test(program);
  return {
    /** The id of the agent that it is, and not only a server for other programs. */
    agent: words[0] === 'mcp' || words[0] === 'exec-server' ? undefined : agent?.id,
    /** Whether it is a server or a client of ours. */
    isOwnProgram: OWN_PROGRAM.test(program),
    /** Whether it runs the programs of others: what is below it may belong to a person. */
    isBorder,
    /** Whether programs of several owners may use it. */
    isDaemon: isBorder || [program, ...words].some((word) => DAEMON.test(word)),
    /** Whether it is a shell that waits for command lines. */
    isShell: SHELL.test(program) && words.length === 0,
  };
}
