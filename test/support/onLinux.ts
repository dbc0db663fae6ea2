/**
 * Declare tests of what only some systems can do. Elsewhere there are no such tests: a skipped one would fail the run, which
 * forbids them so that none is forgotten.
 */
const nothing = (): undefined => undefined;

/** Only Linux can look into `/proc/self/fd`, or has file names that are no text. */
export const onLinux = process.platform === 'linux' ? it : nothing;
export const describeOnLinux = process.platform === 'linux' ? describe : nothing;
export const describeOnPosix = process.platform === 'win32' ? nothing : describe;
/** Only root can give a file to somebody else. */
export const asRoot = process.getuid?.() === 0 ? it : nothing;
