/**
 * The messages of well-known programs on stderr when their target is gone for good. A whole line has to match, and its
 * group is the reason. Other programs can say so by their exit code.
 */
const FINAL_WORDS: readonly RegExp[] = [
  // docker: https://github.com/moby/moby/blob/v28.2.2/daemon/errors.go
  /^(?:Error response from daemon|Error): ([Nn]o such container: \S+)$/,
  /^Error response from daemon: ([Cc]ontainer \S+ is not running)$/,
  // podman, and the runtimes below it
  /^Error: (can only create exec sessions on running containers: .*)$/,
  /^Error: (no container with (?:name or )?ID .*)$/i,
  /^.*(cannot exec (?:in|a|into a) (?:stopped container|container that has (?:run and )?stopped))\b.*$/,
  // kubectl
  /^Error from server \(NotFound\): (pods "[^"]*" not found)$/,
  /^error: (cannot exec into a container in a completed pod; .*)$/,
  // Slurm: https://github.com/SchedMD/slurm/blob/slurm-22-05-8-1/src/srun/libsrun/allocate.c
  /^srun: error: (Slurm job \d+ has expired)\.?$/,
  /^srun: error: .*(Job\/step already completing or completed|Invalid job id specified)$/,
  // Incus and LXD
  /^Error: (Instance (?:is not running|not found))$/,
];

/** The reason why the target is gone for good; undefined if the command does not say so. */
export function finalWords(
  exitCode: number | null,
  said: readonly string[],
  finalExitCodes: readonly number[],
): string | undefined {
  if (exitCode === null || exitCode === 0) {
    return undefined;
  }
  const known = said.flatMap((line) => FINAL_WORDS.flatMap((words) => words.exec(line)?.[1] ?? [])).at(0);
  if (known !== undefined || !finalExitCodes.includes(exitCode)) {
    return known;
  }
  return said.at(-1)?.replace(/^error: /i, '') ?? `the command ended with exit code ${exitCode}`;
}
