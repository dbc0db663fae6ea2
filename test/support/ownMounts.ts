const UNSHARE = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])] as const;

/** A process under it sees its own mounts, and no other process does. They go with it. */
export const OWN_MOUNTS = [...UNSHARE, '--mount'] as const;

/** A process under it has numbers of its own for processes, and sees only its own. It has the mounts of its caller. */
export const OWN_PROCESSES = [...UNSHARE, '--pid', '--fork'] as const;

const HIDE_BASH =
  'for bash in /bin/bash /usr/bin/bash; do mount --bind /bin/true $bash || exit; done; exec "$@"';

/**
 * Runs the command after it where bash does nothing. Our programs then have no pipes for children, and read no files to
 * have them.
 */
export const WITHOUT_BASH = [...OWN_MOUNTS, 'sh', '-c', HIDE_BASH, 'sh'] as const;
