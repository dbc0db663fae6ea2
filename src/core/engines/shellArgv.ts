import type { Member } from './member.js';

/** Options of the user's ssh configuration that would get between us and the shell there. */
const SSH_OPTIONS = [
  // An older ssh does not know all of these. A list would take the place of the one in the configuration.
  'IgnoreUnknown=*',
  'RemoteCommand=none',
  'StdinNull=no',
  'ForkAfterAuthentication=no',
  'SessionType=default',
  'ClearAllForwardings=yes',
  'ControlMaster=no',
];

/** The variables that a node gets from here. Others have folders, sockets or secrets of this machine. */
const SLURM_VARIABLES = ['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'LANG'];

/**
 * The command that runs one more argument, a line of shell, on a member.
 *
 * @param connectSeconds The time for ssh to reach the host; by default that of its configuration.
 */
export function shellArgv({ engine, name, context }: Member, connectSeconds?: number): readonly string[] {
  switch (engine) {
    case 'ssh': {
      const [, host = name, port] = /^(.*?)(?::(\d+))?$/.exec(name) ?? [];
      const options = [
        ...SSH_OPTIONS,
        ...(connectSeconds === undefined ? [] : [`ConnectTimeout=${connectSeconds}`]),
      ];
      return [
        ...['ssh', '-T', ...options.flatMap((option) => ['-o', option])],
        ...(port === undefined ? [] : ['-p', port]),
        ...['--', host.replace(/^((?:.*@)?)\[(.*)\]$/, '$1$2')],
      ];
    }
    case 'docker':
    case 'podman':
      return [engine, 'exec', '-i', name, 'sh', '-c'];
    case 'kubernetes': {
      const [pod = name, namespace] = name.split('/').reverse();
      return [
        ...['kubectl', ...(context === undefined ? [] : [`--context=${context}`]), 'exec', '-i'],
        ...[...(namespace === undefined ? [] : ['-n', namespace]), pod, '--', 'sh', '-c'],
      ];
    }
    case 'slurm': {
      const [job = name, node] = name.split('/');
      // Without a node it is always the same one, where the sessions are.
      const where = node === undefined ? ['--relative=0'] : ['-w', node];
      return [
        ...['srun', '--overlap', '--jobid', job, ...where, '-N1', '-n1', '--unbuffered', '--mpi=none'],
        ...[`--export=${SLURM_VARIABLES.join()}`, 'sh', '-c'],
      ];
    }
  }
}
