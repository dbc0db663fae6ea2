/** Declares a test of what only Linux can do: look into `/proc/self/fd`, or have file names that are no text. */
export const onLinux = process.platform === 'linux' ? it : () => undefined;
