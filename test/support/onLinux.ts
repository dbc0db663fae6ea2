/** Declares a test of features that only Linux has: `/proc/self/fd`, or file names that are no text. */
export const onLinux = process.platform === 'linux' ? it : () => undefined;
