import { constants } from 'node:fs';

/** Windows has some of them only. */
const flags: Readonly<Record<string, number | undefined>> = constants;

/** Opening a pipe or a device must not wait for anybody. */
const NO_WAITING = (flags['O_NONBLOCK'] ?? 0) | (flags['O_NOCTTY'] ?? 0);

export const READ = constants.O_RDONLY | NO_WAITING;
export const REPLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_WAITING;
export const NO_FOLLOW = flags['O_NOFOLLOW'] ?? 0;

/** Linux: only a place to go on from, which needs no right to read. Node has no name for it. */
const O_PATH = 0o10000000;
export const PLACE = O_PATH | (flags['O_DIRECTORY'] ?? 0) | NO_FOLLOW;
