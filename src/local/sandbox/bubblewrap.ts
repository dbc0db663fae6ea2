import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The programs of the system that make a sandbox, by absolute paths. */
export interface SandboxPrograms {
  readonly bwrap: string;
  readonly bash: string;
  readonly env: string;
}

/** Only these folders are searched: a program on somebody's PATH could run everything unprotected. */
const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/run/current-system/sw/bin'];

/** @returns undefined if this machine has no bubblewrap, or lacks a program that it needs here. */
export function findSandboxPrograms(): SandboxPrograms | undefined {
  const [bwrap, bash, env] = ['bwrap', 'bash', 'env'].map(systemProgram);
  return bwrap === undefined || bash === undefined || env === undefined ? undefined : { bwrap, bash, env };
}

function systemProgram(name: string): string | undefined {
  return SYSTEM_FOLDERS.map((folder) => path.join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * The signals that a program can be sent and that would end bubblewrap, and the program with it. Bubblewrap inherits
 * them ignored. `env` sets them back for the program.
 */
const IGNORED = '{1..8} {10..16} {24..27} {29..31} {34..64}';

const DESCRIPTORS = ['--args', '7', '--seccomp', '8', '--json-status-fd', '9'];

/**
 * The script of the bash that becomes bubblewrap. Its arguments are the files of the options, of the filter and of the
 * status, then the command of bubblewrap. Bubblewrap gives the program all other open files, so they are closed.
 */
const WRAP = `
trap '' ${IGNORED}
for file in /proc/self/fd/*; do
  file=\${file##*/}
  if ((file > 2)); then eval "exec $file>&-"; fi
done
exec 7<"$1" 8<"$2" 9>"$3" "\${@:4}"
`;

/** The open files of a wrapper, by paths that name the descriptors of this process. */
export interface WrapperFiles {
  readonly options: string;
  readonly filter: string;
  readonly status: string;
}

/**
 * The command that starts a program in a sandbox. It is to be run without variables: those of the program are among
 * the options. It becomes bubblewrap, whose child becomes `env`, which becomes the program.
 */
export function wrapperCommand(
  { bwrap, bash, env }: SandboxPrograms,
  { options, filter, status }: WrapperFiles,
  argv: readonly string[],
  pwd: string | undefined,
): { readonly argv: readonly [string, ...string[]]; readonly stages: readonly (readonly string[])[] } {
  // Bubblewrap sets PWD.
  const last = [env, '--default-signal', ...(pwd === undefined ? ['-u', 'PWD'] : [`PWD=${pwd}`]), ...argv];
  const middle = [bwrap, ...DESCRIPTORS, '--', ...last];
  return {
    // With --norc, bash runs no file of the user although its input may be a socket.
    argv: [bash, '--norc', '-p', '-c', WRAP, 'bash', options, filter, status, ...middle],
    stages: [middle, last],
  };
}

/** Everything but the file system and the network: namespaces, rights, directory and variables. */
export function bubblewrapOptions(
  mounts: readonly string[],
  { cwd, env, network }: { cwd: string; env: Readonly<Record<string, string>>; network: boolean },
): Buffer {
  const options = [
    '--die-with-parent',
    ...mounts,
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', ...(network ? [] : ['--unshare-net'])],
    ...['--cap-drop', 'ALL'],
    ...['--chdir', cwd],
    '--clearenv',
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
  return Buffer.from(options.map((option) => `${option}\0`).join(''));
}

/** Whether the status that bubblewrap has written says that the program has run and ended. */
export function hasRun(status: string): boolean {
  return status.includes('"exit-code"');
}
