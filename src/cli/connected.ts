import type { Machine } from '../machine/index.js';

/** A connection with a server that has sessions: the session server of this machine, or another one. */
export type Connected = Pick<Machine, 'backend' | 'disconnect'>;
