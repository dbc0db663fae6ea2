/**
 * Declare tests that only some systems can run. Elsewhere these tests do not exist: a run fails on a skipped test, so
 * that no test is forgotten.
 */
const nothing = (): undefined => undefined;

/** Only Linux can look into `/proc/self/fd`, or has file names that are no text. */
export const onLinux = process.platform === 'linux' ? it : nothing;
export const describeOnLinux = process.platform === 'linux' ? describe : nothing;
export const describeOnPosix = process.platform === 'win32' ? nothing : describe;
/** Only root can give a file to another user. */
export const asRoot = process.getuid?.() === 0 ? it : nothing;
