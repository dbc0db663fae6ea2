import type { Machine } from '../machine/index.js';

/** A connection with a server that has sessions: that of this machine, or one elsewhere. */
export type Connected = Pick<Machine, 'backend' | 'disconnect'>;
